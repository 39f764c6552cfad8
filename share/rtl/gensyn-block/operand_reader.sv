// Brings a byte to each lane of the array in each step. A lane keeps the word
// that it read last and fetches the next one while a bank is free, so that rows
// of a matrix cost a word every eight steps. Lanes that want the same word get
// it together. A step waits only if a bank would have to serve two words.

module operand_reader
  import block_package::*;
(
    input logic clock,
    input logic restart,  // forgets all words

    // A step: lanes that are not used read nothing.
    input logic step_valid,
    input logic [Lanes-1:0] lane_used,
    input address_t lane_address[Lanes],
    output logic step_ready,

    input logic [Banks-1:0] bank_free,
    output logic [Banks-1:0] bank_valid,
    output word_address_t bank_word[Banks],
    input word_t bank_read[Banks],

    // A cycle after the step was ready.
    output logic [7:0] lane_byte[Lanes]
);

  logic [Lanes-1:0] has_own, has_next;
  word_address_t own[Lanes], next[Lanes];

  word_address_t word[Lanes], ahead[Lanes];
  logic [Lanes-1:0] is_own, is_next, demands, prefetches, served, gets_ahead;
  always_comb begin
    for (int l = 0; l < Lanes; ++l) begin
      word[l] = lane_address[l][AddressBits-1:3];
      is_own[l] = has_own[l] && own[l] == word[l];
      is_next[l] = has_next[l] && next[l] == word[l];
      demands[l] = step_valid && lane_used[l] && !is_own[l] && !is_next[l];
      ahead[l] = own[l] + 1;
      prefetches[l] = has_own[l] && !(has_next[l] && next[l] == ahead[l]);
    end
    for (int b = 0; b < Banks; ++b) begin
      bank_valid[b] = 0;
      bank_word[b] = '0;
      for (int l = Lanes - 1; l >= 0; --l)
        if (prefetches[l] && bank_of(ahead[l]) == bank_t'(b)) begin
          bank_valid[b] = 1;
          bank_word[b] = ahead[l];
        end
      for (int l = Lanes - 1; l >= 0; --l)
        if (demands[l] && bank_of(word[l]) == bank_t'(b)) begin
          bank_valid[b] = 1;
          bank_word[b] = word[l];
        end
      bank_valid[b] &= bank_free[b];
    end
    for (int l = 0; l < Lanes; ++l) begin
      served[l] = demands[l] && bank_valid[bank_of(word[l])] && bank_word[bank_of(word[l])] == word[l];
      gets_ahead[l] = prefetches[l] && !served[l] && bank_valid[bank_of(ahead[l])]
          && bank_word[bank_of(ahead[l])] == ahead[l];
    end
    step_ready = (demands & ~served) == '0;
  end

  // What happens to the words a cycle later, when the banks have read.
  logic [Lanes-1:0] takes_next, takes_own, takes_ahead;
  bank_t own_bank[Lanes], ahead_bank[Lanes];
  logic [2:0] place[Lanes];
  always_ff @(posedge clock) begin
    for (int l = 0; l < Lanes; ++l) begin
      takes_next[l] <= 0;
      takes_own[l] <= served[l];
      takes_ahead[l] <= gets_ahead[l];
      own_bank[l] <= bank_of(word[l]);
      ahead_bank[l] <= bank_of(ahead[l]);
      place[l] <= lane_address[l][2:0];
      if (served[l]) begin
        has_own[l] <= 1;
        own[l] <= word[l];
      end else if (step_valid && lane_used[l] && is_next[l] && !is_own[l]) begin
        takes_next[l] <= 1;
        own[l] <= next[l];
        has_next[l] <= 0;
      end
      if (gets_ahead[l]) begin
        has_next[l] <= 1;
        next[l] <= ahead[l];
      end
    end
    if (restart) begin
      has_own <= '0;
      has_next <= '0;
    end
  end

  word_t own_data[Lanes], next_data[Lanes], own_now[Lanes];
  always_comb
    for (int l = 0; l < Lanes; ++l) begin
      own_now[l] = takes_next[l] ? next_data[l] : takes_own[l] ? bank_read[own_bank[l]] : own_data[l];
      lane_byte[l] = own_now[l][8*place[l]+:8];
    end
  always_ff @(posedge clock)
    for (int l = 0; l < Lanes; ++l) begin
      own_data[l] <= own_now[l];
      if (takes_ahead[l]) next_data[l] <= bank_read[ahead_bank[l]];
    end

endmodule
