// A queue of descriptors: decodes the next one while a task runs, waits for what
// it names, starts it, and counts tasks that have ended.

module command_queue
  import block_package::*;
(
    input logic clock,
    input logic reset,
    input logic begin_run,

    // The stream.
    input logic push_valid,
    output logic push_ready,
    input word_t push_data,

    input logic [31:0] counters[Counters],
    input logic [31:0] other_ended,  // tasks of the other queue
    output logic [31:0] ended,

    output logic start,
    output word_t words[DescriptorWords],
    input logic done,

    output logic signal_valid,
    output logic [$clog2(Counters)-1:0] signal_counter,
    output logic idle
);

  word_t stored[QueueWords];
  logic [$clog2(QueueWords):0] held;
  logic [$clog2(QueueWords)-1:0] head;

  logic [5:0] read;
  logic complete;
  opcode_e opcode;
  logic running;
  logic pops, retires;

  function automatic logic [5:0] length_of(logic [23:0] first);
    case (first[7:0])
      OpFetch, OpStore: return 6'd3 + 6'({first[11:8], 1'b0});
      OpCompute: return 6'd6 + 6'd3 * (6'(first[11:8]) + 6'(first[15:12]) + 6'(first[19:16]) + 6'(first[23:20]));
      default: return 6'd1;
    endcase
  endfunction

  always_comb begin
    push_ready = int'(held) < QueueWords;
    complete = read != 0 && read == length_of(words[0][23:0]);
    opcode = opcode_e'(words[0][7:0]);
    pops = !complete && held != 0;
    start = 0;
    retires = 0;
    signal_valid = 0;
    signal_counter = words[0][8+:$clog2(Counters)];
    if (complete)
      case (opcode)
        OpWait: retires = !running && counters[signal_counter] >= words[0][63:32];
        OpSignal: begin
          retires = !running;
          signal_valid = !running;
        end
        default: begin
          start = !running && other_ended >= words[0][63:32];
          retires = start;
        end
      endcase
    idle = !running && read == 0 && held == 0;
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      held <= 0;
      head <= 0;
      read <= 0;
      running <= 0;
      ended <= 0;
    end else begin
      if (push_valid && push_ready) stored[head+6'(held)] <= push_data;
      held <= held + 7'(push_valid && push_ready) - 7'(pops);
      if (pops) begin
        words[read] <= stored[head];
        head <= head + 1;
        read <= read + 1;
      end
      if (retires) read <= 0;
      if (start) running <= 1;
      if (done) begin
        running <= 0;
        ended <= ended + 1;
      end
      if (begin_run) ended <= 0;
    end
  end

endmodule
