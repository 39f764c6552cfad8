// Walks nested loops, innermost first: an offset for each tuple of indices.

module loop_walker
  import block_package::*;
#(
    parameter int Levels = 3
) (
    input logic clock,
    input logic [3:0] used,  // the number of loops
    input loop_t loops[Levels],
    input logic restart,  // before the first tuple
    input logic step,     // to the next tuple
    output offset_t value,
    output logic is_last
);

  logic [31:0] index[Levels];
  // Of each loop, with all loops around it.
  offset_t sums[Levels];

  logic [Levels-1:0] at_end;
  always_comb begin
    for (int i = 0; i < Levels; ++i) at_end[i] = i >= int'(used) || index[i] + 1 == loops[i].count;
    is_last = &at_end;
    value = sums[0];
  end

  always_ff @(posedge clock) begin
    if (restart) begin
      for (int i = 0; i < Levels; ++i) begin
        index[i] <= 0;
        sums[i] <= '0;
      end
    end else if (step) begin
      for (int i = 0; i < Levels; ++i) begin
        // The innermost loop that is not at its end takes the step, and those
        // inside of it begin again.
        automatic logic inner_end = 1;
        for (int k = 0; k < i; ++k) inner_end &= at_end[k];
        if (inner_end && !at_end[i]) begin
          index[i] <= index[i] + 1;
          for (int k = 0; k <= i; ++k) sums[k] <= add(sums[i], loops[i].step);
          for (int k = 0; k < i; ++k) index[k] <= 0;
        end
      end
    end
  end

endmodule
