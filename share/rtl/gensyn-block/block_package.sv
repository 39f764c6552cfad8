// Types and sizes of gensyn-block (docs/Block.md).

package block_package;

  // The array.
  localparam int Rows = 8;
  localparam int Columns = 8;
  localparam int Lanes = Rows + Columns;

  // The memory: banks of words of 64 bits.
  localparam int Banks = 4;
  localparam int BankRows = 4096;
  localparam int AddressBits = 17;
  localparam int WordBits = AddressBits - 3;

  // Loops of a computation and of a copy, innermost first.
  localparam int ReduceLoops = 6;
  localparam int RowLoops = 3;
  localparam int ColumnLoops = 3;
  localparam int BatchLoops = 3;
  localparam int CopyLoops = 4;
  localparam int Checks = 4;

  localparam int Counters = 256;
  localparam int QueueWords = 64;
  localparam int DescriptorWords = 6 + 3 * (ReduceLoops + RowLoops + ColumnLoops + BatchLoops);

  typedef enum logic [7:0] {
    OpWait    = 1,
    OpSignal  = 2,
    OpFetch   = 3,
    OpStore   = 4,
    OpCompute = 5
  } opcode_e;

  // What one index of a loop adds to the addresses of both operands and the
  // result, and to the coordinates that are checked.
  typedef struct packed {
    logic signed [31:0] left;
    logic signed [31:0] right;
    logic signed [31:0] result;
    logic signed [Checks-1:0][15:0] coordinates;
  } offset_t;

  typedef struct packed {
    logic [31:0] count;
    offset_t step;
  } loop_t;

  typedef logic [AddressBits-1:0] address_t;
  typedef logic [WordBits-1:0] word_address_t;
  typedef logic [63:0] word_t;
  typedef logic [$clog2(Banks)-1:0] bank_t;

  // Adjacent words lie in different banks, and words of most strides too.
  function automatic bank_t bank_of(word_address_t word);
    return bank_t'(word + (word >> 2) + (word >> 4) + ((word >> 6) << 1));
  endfunction

  // A row of its bank, whichever that is.
  function automatic logic [WordBits-3:0] row_of(word_address_t word);
    return word[WordBits-1:2];
  endfunction

  function automatic offset_t add(offset_t a, offset_t b);
    offset_t sum;
    sum.left = a.left + b.left;
    sum.right = a.right + b.right;
    sum.result = a.result + b.result;
    for (int i = 0; i < Checks; ++i)
      sum.coordinates[i] = a.coordinates[i] + b.coordinates[i];
    return sum;
  endfunction

endpackage
