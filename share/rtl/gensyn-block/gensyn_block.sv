// gensyn-block: an array of 8 x 8 multipliers, 128 KiB in four banks, a copy
// engine, and two queues of descriptors (docs/Block.md).

module gensyn_block
  import block_package::*;
(
    input logic clock,
    input logic reset,

    // The streams of both queues: computing, copies.
    input logic [1:0] push_valid,
    output logic [1:0] push_ready,
    input logic [1:0][63:0] push_data,

    // Counters: an increment by whoever sends signals, and the block's own,
    // which come back that way.
    input logic begin_run,  // all are 0, and no task has ended
    input logic increment_valid,
    input logic [7:0] increment_counter,
    output logic [1:0] signal_valid,
    output logic [1:0][7:0] signal_counter,

    // The bus to the memory.
    output logic command_valid,
    input logic command_ready,
    output logic command_write,
    output logic [63:0] command_address,
    output logic [3:0] command_beats,
    output logic write_valid,
    input logic write_ready,
    output logic [63:0] write_data,
    output logic [7:0] write_strobe,
    input logic write_done,
    input logic read_valid,
    output logic read_ready,
    input logic [63:0] read_data,

    // What tasks do, for who watches: computing, copies.
    output logic [1:0] task_start,
    output logic [1:0] task_done,
    output logic idle
);

  logic [31:0] counters[Counters];
  always_ff @(posedge clock)
    if (reset || begin_run) counters <= '{default: 0};
    else if (increment_valid) counters[increment_counter] <= counters[increment_counter] + 1;

  logic [31:0] ended[2];
  word_t words[2][DescriptorWords];
  logic [1:0] idles;
  for (genvar q = 0; q < 2; ++q) begin : queues
    command_queue queue (
        .clock, .reset, .begin_run, .push_valid(push_valid[q]), .push_ready(push_ready[q]), .push_data(push_data[q]), .counters,
        .other_ended(ended[1-q]), .ended(ended[q]), .start(task_start[q]), .words(words[q]), .done(task_done[q]),
        .signal_valid(signal_valid[q]), .signal_counter(signal_counter[q]), .idle(idles[q])
    );
  end
  assign idle = &idles;

  logic [1:0] result_valid, copy_valid;
  word_address_t result_word[2], copy_word[2];
  logic [7:0] result_strobe[2], copy_strobe[2];
  word_t result_data[2], copy_data[2], copy_read[2];
  logic copy_write, copy_ready;
  logic [Banks-1:0] bank_free, bank_valid;
  word_address_t bank_word[Banks];
  word_t bank_read[Banks];
  memory_banks banks (
      .clock, .result_valid, .result_word, .result_strobe, .result_data, .copy_valid, .copy_write, .copy_word,
      .copy_strobe, .copy_data, .copy_ready, .copy_read, .operand_free(bank_free), .operand_valid(bank_valid),
      .operand_word(bank_word), .operand_read(bank_read)
  );

  compute_engine compute (
      .clock, .reset, .start(task_start[0]), .words(words[0]), .done(task_done[0]), .bank_free, .bank_valid, .bank_word,
      .bank_read, .result_valid, .result_word, .result_strobe, .result_data
  );

  loop_t copy_loops[CopyLoops];
  always_comb
    for (int i = 0; i < CopyLoops; ++i) begin
      copy_loops[i] = '0;
      copy_loops[i].count = words[1][3+2*i][31:0];
      copy_loops[i].step.left = words[1][4+2*i][31:0];
      copy_loops[i].step.right = words[1][4+2*i][63:32];
    end
  copy_engine copies (
      .clock, .reset, .start(task_start[1]), .is_store(words[1][0][7:0] == OpStore), .local_address(words[1][1][31:0]),
      .row_bytes(words[1][1][63:32]), .memory_address(words[1][2]), .used_loops(words[1][0][11:8]), .loops(copy_loops),
      .done(task_done[1]), .command_valid, .command_ready, .command_write, .command_address, .command_beats, .write_valid,
      .write_ready, .write_data, .write_strobe, .write_done, .read_valid, .read_ready, .read_data, .copy_valid, .copy_write,
      .copy_word, .copy_strobe, .copy_data, .copy_ready, .copy_read
  );

endmodule
