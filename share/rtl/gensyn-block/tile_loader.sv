// Finds the rows and columns of tiles of 8 x 8 results, one row and one column
// a cycle, while the tile before is computed. Tiles follow each other along
// rows first, then along columns, then along the batch.

module tile_loader
  import block_package::*;
(
    input logic clock,
    input logic reset,

    input logic start,  // after the descriptor was set
    input logic [3:0] row_loops,
    input logic [3:0] column_loops,
    input logic [3:0] batch_loops,
    input loop_t rows[RowLoops],
    input loop_t columns[ColumnLoops],
    input loop_t batch[BatchLoops],

    output logic valid,
    output logic is_last,
    output logic [Rows-1:0] row_used,
    output logic [Columns-1:0] column_used,
    output offset_t row_offset[Rows],  // with that of the batch
    output offset_t column_offset[Columns],
    input logic take
);

  logic row_restart, row_step, row_last;
  logic column_restart, column_step, column_last;
  logic batch_step, batch_last;
  offset_t row_value, column_value, batch_value;
  loop_walker #(.Levels(RowLoops)) row_walker (
      .clock, .used(row_loops), .loops(rows), .restart(row_restart), .step(row_step), .value(row_value), .is_last(row_last)
  );
  loop_walker #(.Levels(ColumnLoops)) column_walker (
      .clock, .used(column_loops), .loops(columns), .restart(column_restart), .step(column_step), .value(column_value),
      .is_last(column_last)
  );
  loop_walker #(.Levels(BatchLoops)) batch_walker (
      .clock, .used(batch_loops), .loops(batch), .restart(start), .step(batch_step), .value(batch_value),
      .is_last(batch_last)
  );

  logic busy;
  logic rows_loaded, columns_loaded;  // those of this tile
  logic rows_end, columns_end;        // and there are no more
  logic [2:0] row_place, column_place;

  logic moves;  // to the next tile
  assign valid = busy && rows_loaded && columns_loaded;
  assign is_last = rows_end && columns_end && batch_last;
  assign moves = valid && take;
  always_comb begin
    row_step = busy && !rows_loaded && !row_last;
    column_step = busy && !columns_loaded && !column_last;
    row_restart = start || (moves && rows_end);
    column_restart = start || (moves && rows_end && columns_end);
    batch_step = moves && rows_end && columns_end && !batch_last;
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      busy <= 0;
    end else if (start) begin
      busy <= 1;
      rows_loaded <= 0;
      columns_loaded <= 0;
      row_place <= 0;
      column_place <= 0;
    end else if (moves) begin
      busy <= !is_last;
      rows_loaded <= 0;
      row_place <= 0;
      if (rows_end) begin
        columns_loaded <= 0;
        column_place <= 0;
      end
    end else if (busy) begin
      if (!rows_loaded) begin
        if (row_place == 0) row_used <= '0;
        row_used[row_place] <= 1;
        row_offset[row_place] <= add(row_value, batch_value);
        row_place <= row_place + 1;
        rows_loaded <= row_last || row_place == 3'(Rows - 1);
        rows_end <= row_last;
      end
      if (!columns_loaded) begin
        if (column_place == 0) column_used <= '0;
        column_used[column_place] <= 1;
        // The coordinates of both operands are checked: each needs the batch.
        column_offset[column_place] <= column_value;
        column_offset[column_place].right <= column_value.right + batch_value.right;
        for (int i = 0; i < Checks; ++i)
          column_offset[column_place].coordinates[i] <= column_value.coordinates[i] + batch_value.coordinates[i];
        column_place <= column_place + 1;
        columns_loaded <= column_last || column_place == 3'(Columns - 1);
        columns_end <= column_last;
      end
    end
  end

endmodule
