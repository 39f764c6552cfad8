// 8 x 8 multipliers that keep 64 sums of 32 bits. A result is read as a pair of
// two columns of a row.

module mac_array
  import block_package::*;
(
    input logic clock,

    input logic step,
    input logic is_first,  // of the sums
    input logic signed [9:0] left[Rows],
    input logic signed [9:0] right[Columns],

    input logic [2:0] row,
    input logic [2:0] column,
    output logic [31:0] pair[2]
);

  logic signed [31:0] sums[Rows][Columns];

  always_ff @(posedge clock)
    if (step)
      for (int r = 0; r < Rows; ++r)
        for (int c = 0; c < Columns; ++c) sums[r][c] <= (is_first ? 0 : sums[r][c]) + 32'(left[r]) * 32'(right[c]);

  always_comb begin
    pair[0] = sums[row][column];
    pair[1] = sums[row][column+3'd1];
  end

endmodule
