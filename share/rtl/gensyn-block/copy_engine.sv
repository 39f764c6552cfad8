// Copies rows of bytes between the banks and the memory outside, at any
// alignment, eight bytes a cycle. Commands of the bus are issued ahead of their
// data: each is for at most 64 bytes that do not cross a multiple of 64.

module copy_engine
  import block_package::*;
(
    input logic clock,
    input logic reset,

    // A descriptor, valid in the cycle of `start`.
    input logic start,
    input logic is_store,
    input logic [31:0] local_address,
    input logic [31:0] row_bytes,
    input logic [63:0] memory_address,
    input logic [3:0] used_loops,
    input loop_t loops[CopyLoops],  // left: bytes of the banks; right: of the memory
    output logic done,  // a cycle

    // Commands; data of writes follow in their order, and so do data of reads.
    output logic command_valid,
    input logic command_ready,
    output logic command_write,
    output logic [63:0] command_address,
    output logic [3:0] command_beats,
    output logic write_valid,
    input logic write_ready,
    output word_t write_data,
    output logic [7:0] write_strobe,
    input logic write_done,  // of a command
    input logic read_valid,
    output logic read_ready,
    input word_t read_data,

    output logic [1:0] copy_valid,
    output logic copy_write,
    output word_address_t copy_word[2],
    output logic [7:0] copy_strobe[2],
    output word_t copy_data[2],
    input logic copy_ready,
    input word_t copy_read[2]
);

  logic store;
  logic [31:0] base, bytes;
  logic [63:0] memory;
  logic [3:0] used;
  loop_t walk[CopyLoops];

  // Two walks over the same rows: one for commands, one for data.
  logic command_step, data_step;
  logic command_last, data_last;
  offset_t command_offset, data_offset;
  loop_walker #(.Levels(CopyLoops)) command_walker (
      .clock, .used, .loops(walk), .restart(start), .step(command_step), .value(command_offset), .is_last(command_last)
  );
  loop_walker #(.Levels(CopyLoops)) data_walker (
      .clock, .used, .loops(walk), .restart(start), .step(data_step), .value(data_offset), .is_last(data_last)
  );

  // Commands.
  logic commands_left;
  logic [31:0] command_place;  // within the row
  logic [63:0] command_byte;
  logic [31:0] command_bytes;
  always_comb begin
    command_byte = memory + 64'(signed'(command_offset.right)) + 64'(command_place);
    command_bytes = 64 - 32'(command_byte[5:0]);
    if (command_bytes > bytes - command_place) command_bytes = bytes - command_place;
    command_valid = commands_left;
    command_write = store;
    command_address = {command_byte[63:3], 3'b0};
    command_beats = 4'((32'(command_byte[2:0]) + command_bytes + 7) >> 3);
    command_step = commands_left && command_ready && command_place + command_bytes == bytes && !command_last;
  end
  always_ff @(posedge clock) begin
    if (reset) begin
      commands_left <= 0;
    end else if (start) begin
      commands_left <= 1;
      command_place <= 0;
    end else if (commands_left && command_ready) begin
      command_place <= command_place + command_bytes;
      if (command_place + command_bytes == bytes) begin
        command_place <= 0;
        if (command_last) commands_left <= 0;
      end
    end
  end

  // Data: the bytes of one beat, which lie in one or two words of the banks.
  logic data_left;
  logic [31:0] data_place;
  logic [63:0] data_byte;
  logic [31:0] local_byte;
  logic [3:0] beat_bytes;
  logic [2:0] beat_at, local_at;
  logic [15:0] window;  // of both words
  logic beat_moves, beat_is_last;
  always_comb begin
    data_byte = memory + 64'(signed'(data_offset.right)) + 64'(data_place);
    local_byte = base + 32'(data_offset.left) + data_place;
    beat_at = data_byte[2:0];
    local_at = local_byte[2:0];
    beat_bytes = 4'd8 - 4'(beat_at);
    if (32'(beat_bytes) > bytes - data_place) beat_bytes = 4'(bytes - data_place);
    window = 16'((32'd1 << beat_bytes) - 1) << local_at;
    beat_is_last = data_place + 32'(beat_bytes) == bytes;
  end

  // A store reads the banks a cycle before it has the beat; the beats that were
  // read wait in a queue.
  localparam int Depth = 4;
  logic [71:0] beats[Depth];  // strobe, data
  logic [$clog2(Depth):0] held;
  logic [$clog2(Depth)-1:0] head;
  logic reading;
  logic [2:0] read_at, read_local;
  logic [3:0] read_bytes;
  logic has_room;
  always_comb begin
    has_room = 32'(held) + 32'(reading) < Depth;
    copy_write = !store;
    copy_word[0] = local_byte[AddressBits-1:3];
    copy_word[1] = local_byte[AddressBits-1:3] + word_address_t'(1);
    {copy_strobe[1], copy_strobe[0]} = window;
    {copy_data[1], copy_data[0]} = {64'b0, read_data >> {beat_at, 3'b0}} << {local_at, 3'b0};
    copy_valid = '0;
    if (data_left && (store ? has_room : read_valid)) copy_valid = {|window[15:8], |window[7:0]};
  end
  assign beat_moves = |copy_valid && copy_ready;
  assign read_ready = beat_moves && !store;
  assign data_step = beat_moves && beat_is_last && !data_last;

  word_t read_beat;
  logic [7:0] read_strobe;
  always_comb begin
    read_beat = word_t'({copy_read[1], copy_read[0]} >> {read_local, 3'b0}) << {read_at, 3'b0};
    read_strobe = 8'((32'd1 << read_bytes) - 1) << read_at;
    write_valid = held != 0;
    {write_strobe, write_data} = beats[head];
  end

  logic [15:0] unwritten;  // commands of writes that are not done
  logic ends;
  always_ff @(posedge clock) begin
    done <= 0;
    if (reset) begin
      data_left <= 0;
      held <= 0;
      head <= 0;
      reading <= 0;
      unwritten <= 0;
      ends <= 0;
    end else begin
      if (start) begin
        store <= is_store;
        base <= local_address;
        bytes <= row_bytes;
        memory <= memory_address;
        used <= used_loops;
        walk <= loops;
        data_left <= 1;
        data_place <= 0;
      end else if (beat_moves) begin
        data_place <= beat_is_last ? 0 : data_place + 32'(beat_bytes);
        if (beat_is_last && data_last) begin
          data_left <= 0;
          if (store) ends <= 1;
          else done <= 1;
        end
      end
      reading <= beat_moves && store;
      read_at <= beat_at;
      read_local <= local_at;
      read_bytes <= beat_bytes;
      if (reading) beats[head+2'(held)] <= {read_strobe, read_beat};
      held <= held + 3'(reading) - 3'(write_valid && write_ready);
      if (write_valid && write_ready) head <= head + 1;
      unwritten <= unwritten + 16'(command_valid && command_ready && store) - 16'(write_done);
      if (ends && !commands_left && held == 0 && !reading && unwritten == 0) begin
        ends <= 0;
        done <= 1;
      end
    end
  end

endmodule
