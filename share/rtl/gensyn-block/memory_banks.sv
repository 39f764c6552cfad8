// Four banks of 64 bits with one port each: in a cycle a bank serves one user.
// Results of a computation come first, then the copy engine, which may take two
// adjacent words, then the array's operands.

module memory_banks
  import block_package::*;
(
    input logic clock,

    // Results: a write of two adjacent words at most. Always served.
    input logic [1:0] result_valid,
    input word_address_t result_word[2],
    input logic [7:0] result_strobe[2],
    input word_t result_data[2],

    // Copies: both words or none.
    input logic [1:0] copy_valid,
    input logic copy_write,
    input word_address_t copy_word[2],
    input logic [7:0] copy_strobe[2],
    input word_t copy_data[2],
    output logic copy_ready,
    output word_t copy_read[2],  // a cycle later

    // Operands: the bank's own choice of a word, if the bank is free.
    output logic [Banks-1:0] operand_free,
    input logic [Banks-1:0] operand_valid,
    input word_address_t operand_word[Banks],
    output word_t operand_read[Banks]  // a cycle later
);

  logic [Banks-1:0] by_result, by_copy;
  always_comb begin
    by_result = '0;
    by_copy = '0;
    for (int i = 0; i < 2; ++i) begin
      if (result_valid[i]) by_result[bank_of(result_word[i])] = 1;
      if (copy_valid[i]) by_copy[bank_of(copy_word[i])] = 1;
    end
    copy_ready = (by_result & by_copy) == '0;
    operand_free = ~by_result & ~(copy_ready ? by_copy : '0);
  end

  bank_t read_bank[2];
  always_ff @(posedge clock)
    for (int i = 0; i < 2; ++i) read_bank[i] <= bank_of(copy_word[i]);
  always_comb for (int i = 0; i < 2; ++i) copy_read[i] = operand_read[read_bank[i]];

  for (genvar b = 0; b < Banks; ++b) begin : banks
    word_t cells[BankRows];
    logic enable;
    logic [7:0] strobe;
    word_address_t word;
    word_t data;
    always_comb begin
      enable = 0;
      strobe = '0;
      word = operand_word[b];
      data = '0;
      if (by_result[b]) begin
        for (int i = 0; i < 2; ++i)
          if (result_valid[i] && bank_of(result_word[i]) == bank_t'(b)) begin
            strobe = result_strobe[i];
            word = result_word[i];
            data = result_data[i];
          end
      end else if (by_copy[b] && copy_ready) begin
        for (int i = 0; i < 2; ++i)
          if (copy_valid[i] && bank_of(copy_word[i]) == bank_t'(b)) begin
            strobe = copy_write ? copy_strobe[i] : '0;
            enable = !copy_write;
            word = copy_word[i];
            data = copy_data[i];
          end
      end else begin
        enable = operand_valid[b];
      end
    end
    always_ff @(posedge clock) begin
      for (int i = 0; i < 8; ++i)
        if (strobe[i]) cells[row_of(word)][8*i+:8] <= data[8*i+:8];
      if (enable) operand_read[b] <= cells[row_of(word)];
    end
  end

endmodule
