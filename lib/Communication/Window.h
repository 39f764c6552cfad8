// Which of many transfers move.
#ifndef GENSYN_COMMUNICATION_WINDOW_H
#define GENSYN_COMMUNICATION_WINDOW_H

#include <cstddef>
#include <list>
#include <memory>
#include <vector>

namespace gensyn::communication {

struct TransferState;

/// Long messages in one direction. Few of each peer and of all are begun;
/// peers take turns. Those of a peer move in order, so that a pass looks at one
/// of each peer.
class Window {
public:
  using State = std::shared_ptr<TransferState>;
  using States = std::list<State>;

  Window(int peers, size_t mostOfAll, size_t mostOfPeer)
      : mostOfAll(mostOfAll), mostOfPeer(mostOfPeer), peers(peers) {}

  void add(int peer, State state) {
    peers[peer].states.push_back(std::move(state));
    ++count;
    takeTurn(peer);
  }

  bool empty() const { return !count; }

  /// Begins transfers while there is room. `begin` returns false if one of the
  /// same peer has to end first.
  template <class Begin> bool begin(Begin begin) {
    bool moved = false;
    while (begun < mostOfAll && !turns.empty()) {
      const int number = turns.front();
      turns.pop_front();
      Peer &peer = peers[number];
      peer.hasTurn = false;
      if (!begin(**peer.next()))
        continue;
      moved = true;
      ++begun;
      if (++peer.begun == 1)
        moving.push_back(number);
      takeTurn(number);
    }
    return moved;
  }

  /// Calls `advance` with the first transfer of each peer, which returns true
  /// if it is done, and with the next one then.
  template <class Advance> void advance(Advance advance) {
    std::erase_if(moving, [&](int number) {
      Peer &peer = peers[number];
      while (peer.begun && advance(*peer.states.front())) {
        peer.states.pop_front();
        --count, --begun, --peer.begun;
        takeTurn(number);
      }
      return !peer.begun;
    });
  }

  /// Calls a function for each transfer.
  template <class Function> void forAll(Function function) {
    for (Peer &peer : peers)
      for (const State &state : peer.states)
        function(*state);
  }

private:
  struct Peer {
    States states;
    /// How many of them have.
    size_t begun = 0;
    bool hasTurn = false;
    States::iterator next() { return std::next(states.begin(), begun); }
  };

  void takeTurn(int number) {
    Peer &peer = peers[number];
    if (peer.hasTurn || peer.begun >= mostOfPeer ||
        peer.begun == peer.states.size())
      return;
    peer.hasTurn = true;
    turns.push_back(number);
  }

  const size_t mostOfAll, mostOfPeer;
  std::vector<Peer> peers;
  size_t count = 0, begun = 0;
  std::list<int> turns;
  std::vector<int> moving;
};

} // namespace gensyn::communication

#endif
