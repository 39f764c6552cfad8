// Computes a contraction: for each tile of 8 x 8 results all steps of the sum,
// then its results are written, two a cycle where they are adjacent. There is
// no gap between steps, results and the next tile.

module compute_engine
  import block_package::*;
(
    input logic clock,
    input logic reset,

    // A descriptor, valid in the cycle of `start`.
    input logic start,
    input word_t words[DescriptorWords],
    output logic done,  // a cycle

    input logic [Banks-1:0] bank_free,
    output logic [Banks-1:0] bank_valid,
    output word_address_t bank_word[Banks],
    input word_t bank_read[Banks],

    output logic [1:0] result_valid,
    output word_address_t result_word[2],
    output logic [7:0] result_strobe[2],
    output word_t result_data[2]
);

  // The descriptor.
  logic [3:0] reduce_loops, row_loops, column_loops, batch_loops;
  logic left_signed, right_signed;
  logic [31:0] left_base, right_base, result_base;
  logic signed [15:0] left_zero, right_zero;
  logic [Checks-1:0][15:0] extents;
  logic signed [Checks-1:0][15:0] starts;
  logic [Checks-1:0] checks_right;
  loop_t reduce[ReduceLoops], rows[RowLoops], columns[ColumnLoops], batch[BatchLoops];

  function automatic loop_t make_loop(word_t first, word_t second, word_t third);
    loop_t l;
    l.count = first[31:0];
    l.step.left = first[63:32];
    l.step.right = second[31:0];
    l.step.result = second[63:32];
    l.step.coordinates = third;
    return l;
  endfunction

  logic loads;  // a cycle after `start`
  always_ff @(posedge clock) begin
    loads <= start;
    if (reset) loads <= 0;
    if (start) begin
      automatic int next = 6;
      {batch_loops, column_loops, row_loops, reduce_loops} <= words[0][23:8];
      {right_signed, left_signed} <= words[0][25:24];
      checks_right <= words[0][29:26];
      {right_base, left_base} <= words[1];
      {right_zero, left_zero, result_base} <= words[2];
      extents <= words[3];
      starts <= words[4];
      for (int i = 0; i < ReduceLoops; ++i)
        if (i < int'(words[0][11:8])) begin
          reduce[i] <= make_loop(words[next], words[next+1], words[next+2]);
          next += 3;
        end
      for (int i = 0; i < RowLoops; ++i)
        if (i < int'(words[0][15:12])) begin
          rows[i] <= make_loop(words[next], words[next+1], words[next+2]);
          next += 3;
        end
      for (int i = 0; i < ColumnLoops; ++i)
        if (i < int'(words[0][19:16])) begin
          columns[i] <= make_loop(words[next], words[next+1], words[next+2]);
          next += 3;
        end
      for (int i = 0; i < BatchLoops; ++i)
        if (i < int'(words[0][23:20])) begin
          batch[i] <= make_loop(words[next], words[next+1], words[next+2]);
          next += 3;
        end
    end
  end

  // The next tile, and the one that is computed.
  logic tile_valid, tile_last, tile_take;
  logic [Rows-1:0] next_row_used, row_used;
  logic [Columns-1:0] next_column_used, column_used;
  offset_t next_row[Rows], row[Rows], next_column[Columns], column[Columns];
  tile_loader loader (
      .clock, .reset, .start(loads), .row_loops, .column_loops, .batch_loops, .rows, .columns, .batch,
      .valid(tile_valid), .is_last(tile_last), .row_used(next_row_used), .column_used(next_column_used),
      .row_offset(next_row), .column_offset(next_column), .take(tile_take)
  );

  typedef enum logic [1:0] {
    Idle,
    Steps,
    Results
  } phase_e;
  phase_e phase;
  logic is_last_tile, is_first_step;

  logic reduce_restart, reduce_step, reduce_last;
  offset_t reduce_value;
  loop_walker #(.Levels(ReduceLoops)) reduce_walker (
      .clock, .used(reduce_loops), .loops(reduce), .restart(reduce_restart), .step(reduce_step), .value(reduce_value),
      .is_last(reduce_last)
  );

  // A step: the address of each lane. Beside an operand its elements are 0.
  // While results are written, lanes already read what the next tile begins
  // with.
  logic step_valid, step_ready, looks_ahead;
  assign looks_ahead = phase != Steps;
  assign step_valid = phase == Steps || tile_valid;
  function automatic logic is_inside(logic signed [15:0] at, logic [15:0] extent);
    return at >= 0 && unsigned'(at) < extent;
  endfunction
  logic [Lanes-1:0] lane_used;
  address_t lane_address[Lanes];
  offset_t lane_offset[Lanes], step_offset;
  always_comb begin
    step_offset = looks_ahead ? '0 : reduce_value;
    for (int r = 0; r < Rows; ++r) begin
      lane_offset[r] = looks_ahead ? next_row[r] : row[r];
      lane_used[r] = looks_ahead ? next_row_used[r] : row_used[r];
      lane_address[r] = address_t'(left_base + 32'(lane_offset[r].left) + 32'(step_offset.left));
    end
    for (int c = 0; c < Columns; ++c) begin
      lane_offset[Rows+c] = looks_ahead ? next_column[c] : column[c];
      lane_used[Rows+c] = looks_ahead ? next_column_used[c] : column_used[c];
      lane_address[Rows+c] = address_t'(right_base + 32'(lane_offset[Rows+c].right) + 32'(step_offset.right));
    end
    for (int i = 0; i < Checks; ++i)
      if (extents[i] != 0)
        for (int l = 0; l < Lanes; ++l)
          if (checks_right[i] == (l >= Rows)
              && !is_inside(starts[i] + lane_offset[l].coordinates[i] + step_offset.coordinates[i], extents[i]))
            lane_used[l] = 0;
  end

  logic [7:0] lane_byte[Lanes];
  operand_reader reader (
      .clock, .restart(reset || loads), .step_valid, .lane_used, .lane_address, .step_ready, .bank_free, .bank_valid,
      .bank_word, .bank_read, .lane_byte
  );

  // Results: pairs of columns of a row.
  logic [2:0] at_row, at_column;
  logic is_pair, row_ends, rows_end;
  address_t result_address;
  always_comb begin
    is_pair = at_column != 3'(Columns - 1) && column_used[at_column+3'd1]
        && column[at_column+3'd1].result == column[at_column].result + 4;
    row_ends = is_pair ? at_column == 3'(Columns - 2) || !column_used[at_column+3'd2]
                       : at_column == 3'(Columns - 1) || !column_used[at_column+3'd1];
    rows_end = at_row == 3'(Rows - 1) || !row_used[at_row+3'd1];
    result_address = address_t'(result_base + 32'(row[at_row].result) + 32'(column[at_column].result));
  end

  logic step_moves, tile_ends;
  assign step_moves = phase == Steps && step_ready;
  assign tile_ends = phase == Results && row_ends && rows_end;
  assign tile_take = tile_valid && (phase == Idle || (tile_ends && !is_last_tile));
  assign reduce_restart = tile_take;
  assign reduce_step = step_moves && !reduce_last;

  always_ff @(posedge clock) begin
    if (reset) begin
      phase <= Idle;
    end else if (tile_take) begin
      phase <= Steps;
      is_first_step <= 1;
      is_last_tile <= tile_last;
      row_used <= next_row_used;
      column_used <= next_column_used;
      row <= next_row;
      column <= next_column;
      at_row <= 0;
      at_column <= 0;
    end else if (tile_ends) begin
      phase <= Idle;
    end else if (step_moves) begin
      is_first_step <= 0;
      if (reduce_last) phase <= Results;
    end else if (phase == Results) begin
      at_column <= row_ends ? 0 : at_column + (is_pair ? 3'd2 : 3'd1);
      if (row_ends) at_row <= at_row + 1;
    end
  end

  // The pipeline behind: bytes, products and sums, results.
  typedef struct packed {
    logic step;
    logic is_first;
    logic result;
    logic is_pair;
    logic ends;
    logic [2:0] row;
    logic [2:0] column;
    address_t address;
  } action_t;
  action_t issued, read_action, sum_action;
  logic [Lanes-1:0] read_used;
  logic signed [9:0] left[Rows], right[Columns];
  always_comb begin
    issued.step = step_moves;
    issued.is_first = is_first_step;
    issued.result = phase == Results;
    issued.is_pair = is_pair;
    issued.ends = tile_ends && is_last_tile;
    issued.row = at_row;
    issued.column = at_column;
    issued.address = result_address;
  end

  function automatic logic signed [9:0] widen(logic [7:0] value, logic is_signed, logic signed [15:0] zero);
    return 10'(signed'({is_signed & value[7], value})) - 10'(zero);
  endfunction

  always_ff @(posedge clock) begin
    read_action <= reset ? '0 : issued;
    sum_action <= reset ? '0 : read_action;
    read_used <= lane_used;
    for (int r = 0; r < Rows; ++r) left[r] <= read_used[r] ? widen(lane_byte[r], left_signed, left_zero) : 0;
    for (int c = 0; c < Columns; ++c)
      right[c] <= read_used[Rows+c] ? widen(lane_byte[Rows+c], right_signed, right_zero) : 0;
    done <= sum_action.ends && !reset;
  end

  logic [31:0] pair[2];
  mac_array array (
      .clock, .step(sum_action.step), .is_first(sum_action.is_first), .left, .right, .row(sum_action.row),
      .column(sum_action.column), .pair
  );

  // Results are multiples of four bytes, so a pair may lie in two words.
  always_comb begin
    result_word[0] = sum_action.address[AddressBits-1:3];
    result_word[1] = result_word[0] + 1;
    {result_strobe[1], result_strobe[0]} = (sum_action.is_pair ? 16'hFF : 16'hF) << sum_action.address[2:0];
    {result_data[1], result_data[0]} = 128'({sum_action.is_pair ? pair[1] : 32'b0, pair[0]}) << {sum_action.address[2:0], 3'b0};
    result_valid[0] = sum_action.result;
    result_valid[1] = sum_action.result && result_strobe[1] != 0;
  end

endmodule
