#!/usr/bin/env ruby
# frozen_string_literal: true

# A Hearts client in the plain dialect, written from SocketSpec.md alone.
#
# It plays a session, comes back when its connection is lost, shows the chat and says one taunt.
# It needs Ruby 3.0 or newer and nothing else. Numbers in brackets are sections of SocketSpec.md.
#
#     ruby hearts.rb --host 127.0.0.1 --port 7626 --name Ruby --table friends --computers 3 --say hello

require "openssl"
require "optparse"
require "securerandom"
require "socket"

# The connection is gone: come back (5.6).
class Lost < StandardError; end

# The other side says what SocketSpec.md does not allow: leave (10).
class Violation < StandardError; end

# It makes no sense to go on.
class Stop < StandardError; end

# A negative int in place of what was due (3.7).
class Refused < StandardError
  MEANINGS = {
    -1 => "the server is full", -2 => "too many connections or wrong tries", -4 => "the server is shutting down",
    -101 => "bad name", -102 => "option not allowed", -103 => "no such game", -104 => "table taken or closed",
    -105 => "password wrong or missing", -106 => "too slow"
  }.freeze
  LATER = [-1, -2, -4, -106].freeze # try again later; all others are final

  attr_reader :code

  def initialize(code, reason = "")
    @code = code
    super("refused with #{code}: #{reason.empty? ? MEANINGS.fetch(code, 'no reason is known') : reason}")
  end
end

# Ints and strs over TCP, in clear text or in TLS. What is sent is kept until a read would wait,
# so that an ack and the choice behind it are one write (13.1).
class Wire
  attr_reader :ints

  def initialize(host, port, tls)
    @unread = String.new
    @unsent = String.new
    @ints = 0
    socket = Socket.tcp(host, port, connect_timeout: 10)
    socket.setsockopt(:TCP, :NODELAY, true)
    socket.setsockopt(:SOCKET, :KEEPALIVE, true)
    socket.setsockopt(:TCP, :KEEPIDLE, 30) if Socket.const_defined?(:TCP_KEEPIDLE)
    @stream = tls ? encrypted(socket, host, tls) : socket
  rescue SystemCallError, SocketError, IOError => e
    raise Lost, e.message
  end

  def send_ints(*numbers)
    @unsent << numbers.pack("l>*")
  end

  def send_str(text)
    @unsent << [text.bytesize + 1].pack("l>") << text.b << "\0"
  end

  def flush
    @stream.write(@unsent) unless @unsent.empty?
    @unsent.clear
  rescue SystemCallError, IOError, OpenSSL::SSL::SSLError => e
    raise Lost, e.message
  end

  def int
    @ints += 1
    bytes(4).unpack1("l>")
  end

  # An int that must be in a range.
  def int_of(range, what)
    int.tap { |number| raise Violation, "#{what} is #{number}" unless range.cover?(number) }
  end

  def ints_of(count, range, what)
    Array.new(count) { int_of(range, what) }
  end

  # A text, safe to be shown in a terminal whatever came (1.4).
  def str
    text = bytes(int_of(1..1024, "the length of a text"))
    raise Violation, "a text without a NUL at its end" unless text.end_with?("\0")

    text.chop.force_encoding(Encoding::UTF_8).scrub("?").gsub(/[[:cntrl:]\u2028\u2029]/, "?")
  end

  # Write what is left and read on until the other side has ended the stream (1.7).
  def finish
    flush
    @stream.readpartial(65_536) while true
  rescue Lost, EOFError, SystemCallError, OpenSSL::SSL::SSLError
    nil # the session is over in any case
  end

  def close
    @stream.close
  rescue SystemCallError, IOError, OpenSSL::SSL::SSLError
    nil # it is closed, which is what was wanted
  end

  private

  def bytes(count)
    if @unread.bytesize < count
      flush
      @unread << @stream.readpartial(65_536) while @unread.bytesize < count
    end
    @unread.slice!(0, count)
  rescue EOFError
    raise Lost, "end of the stream"
  rescue SystemCallError, IOError, OpenSSL::SSL::SSLError => e
    raise Lost, e.message
  end

  def encrypted(socket, host, authorities)
    context = OpenSSL::SSL::SSLContext.new
    context.set_params(authorities == true ? {} : { ca_file: authorities })
    context.min_version = OpenSSL::SSL::TLS1_2_VERSION
    stream = OpenSSL::SSL::SSLSocket.new(socket, context)
    stream.hostname = host
    stream.sync_close = true
    stream.connect
    stream
  rescue OpenSSL::SSL::SSLError => e
    raise Stop, "no TLS with this server: #{e.message}"
  end
end

# The cards of one seat in one hand, and which of them may be played (6.3).
class Hand
  TWO_OF_CLUBS = 15
  QUEEN = 51
  HEARTS = 0
  SPADES = 3

  attr_reader :cards, :trick

  def self.suit(card) = (card - 1) / 13
  def self.rank(card) = (card - 1) % 13 == 0 ? 14 : (card - 1) % 13 + 1
  def self.name(card) = "A23456789TJQK"[(card - 1) % 13] + "HCDS"[suit(card)]

  def initialize(cards, rules)
    @cards = cards # by hand index; it never shifts (4.2)
    @held = Array.new(13, true)
    @rules = rules
    @broken = false
    @trick = []
    @first = true
  end

  def receive(indexes, cards)
    indexes.zip(cards) { |index, card| @cards[index] = card }
  end

  def lay(card)
    @trick << card
    @broken ||= Hand.suit(card) == HEARTS || (card == QUEEN && !rule?(19))
  end

  def play(index)
    @held[index] = false
    lay(@cards[index])
  end

  def take_trick
    @first = false
    @trick.clear
  end

  # The three hand indexes to pass: what is most dangerous.
  def pass
    (0..12).max_by(3) { |index| danger(@cards[index]) }
  end

  # The hand indexes to try, best first: the legal ones, then the others, for the server has the last word (4.4).
  def choices
    held = (0..12).select { |index| @held[index] }
    legal, others = held.partition { |index| legal?(@cards[index], held.map { |i| @cards[i] }) }
    best(legal) + others
  end

  private

  def rule?(bit) = @rules[bit] == 1
  def point?(card) = Hand.suit(card) == HEARTS || card == QUEEN

  # How much one would like to be rid of a card.
  def danger(card)
    return 100 if card == QUEEN

    Hand.rank(card) + (card > QUEEN || card == 40 ? 20 : 0) + (Hand.suit(card) == HEARTS ? 1 : 0)
  end

  # Lead low; stay below the winning card with as high a card as can be; throw away what is dangerous.
  def best(indexes)
    ranked = indexes.sort_by { |index| danger(@cards[index]) }
    return ranked if @trick.empty?

    suit = Hand.suit(@trick[0])
    return ranked.reverse unless ranked.any? { |index| Hand.suit(@cards[index]) == suit }

    top = @trick.select { |card| Hand.suit(card) == suit }.map { |card| Hand.rank(card) }.max
    below, above = ranked.partition { |index| Hand.rank(@cards[index]) < top }
    below.reverse + above
  end

  def legal?(card, hand)
    queen_may_go = hand.include?(QUEEN) && follows?(QUEEN, hand)
    follows?(card, hand) && !(rule?(13) && card != QUEEN && queen_may_go && queen_must_go?(hand)) &&
      !(@trick.empty? && Hand.suit(card) == HEARTS && !@broken && hand.any? { |c| Hand.suit(c) != HEARTS })
  end

  # The lines of 6.3 above the one of bit 13.
  def follows?(card, hand)
    return card == TWO_OF_CLUBS if @trick.empty? && @first && !rule?(15)

    suited = @trick.empty? ? [] : hand.select { |c| Hand.suit(c) == Hand.suit(@trick[0]) }
    candidates = suited.empty? ? hand : suited
    return false unless candidates.include?(card)

    !(@first && !rule?(14) && point?(card) && candidates.any? { |c| !point?(c) })
  end

  def queen_must_go?(hand)
    return false if @trick.empty?

    suit = Hand.suit(@trick[0])
    hand.none? { |c| Hand.suit(c) == suit } || (suit == SPADES && (@trick & [40, 52]).any?)
  end
end

# The chat, on a thread of its own: the game never waits for it (9).
class Chat
  def initialize(options, numbers, names)
    @options = options
    @numbers = numbers
    @names = names
    @thread = Thread.new { talk }
  end

  def close
    @thread.kill.join
    @wire&.close
  end

  private

  def talk
    pause = 1
    loop do
      begin
        @wire = Wire.new(@options[:taunt_host] || @options[:host], @options[:taunt_port], @options[:tls])
        @wire.send_ints(*@numbers)
        raise Lost, "the chat refuses us" unless @wire.int_of(-1..1, "the status of the chat") == 1

        pause = 1
        say_hello
        loop { show(@wire.int_of(-1..3, "the taunter"), @wire.str) }
      rescue Lost, Violation, Stop
        @wire&.close
      end
      sleep pause
      pause = [pause * 2, 60].min
    end
  end

  def say_hello
    return unless @options[:say]

    @wire.send_ints(*@numbers)
    @wire.send_str(@options.delete(:say))
  end

  def show(taunter, text)
    puts(taunter.negative? ? "* #{text}" : "#{@names[taunter]} says: #{text}")
  end
end

# One session: all that is needed to come back, and the conversation with the game server.
class Session
  PATIENCE = 600 # seconds in which to come back

  def initialize(options)
    @options = options
    @hands = 0 # whose Scores we have had; -1: not known (5.6)
    @flag = 0  # of the latest Scores
    @game = nil
    @games_over = 0
    @ints = @tries = @returns = @losses_at_once = 0
  end

  # Play to the end of the session, over as many connections as it takes.
  def run
    @pause = 0.5
    @lost_at = now
    loop do
      connect
      @seated_at = now
      play
      @wire.finish
      return puts "done: #{@hands} hands, #{@ints + @wire.ints} ints, #{@tries} illegal tries, back #{@returns} times"
    rescue Lost, Refused => e
      leave
      puts e.message
      prepare_to_return(e)
    end
  ensure
    @chat&.close
    leave
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def leave
    return unless @wire

    @ints += @wire.ints
    @wire.close
    @wire = nil
  end

  # Wait a little longer after each try, for ten minutes; or raise Stop.
  def prepare_to_return(fault)
    raise Stop, "the seat is gone" if fault.is_a?(Refused) && !worth_a_try?(fault.code)

    if @seated_at
      @losses_at_once = now - @seated_at < 1 ? @losses_at_once + 1 : 0
      raise Stop, "the seat is lost at once, again and again: is it played elsewhere?" if @losses_at_once > 9

      @lost_at = now
      @pause = 0.5
      @seated_at = nil
    end
    raise Stop, "no server for #{PATIENCE} seconds" if now - @lost_at > PATIENCE

    sleep @pause
    @pause = [@pause * 1.6, 10].min
  end

  # After -103 to a count of hands: once more without a count, for a power cut may have lost hands (5.6).
  def worth_a_try?(code)
    return Refused::LATER.include?(code) unless code == -103 && @game && @hands.positive?

    @hands = -1
    true
  end

  def connect
    @wire = Wire.new(@options[:host], @options[:port], @options[:tls])
    @reasons = false
    player = reply
    raise Violation, "#{player} is no Player ID; does this port want TLS?" if player > 3

    @wire.send_str(@options[:name])
    @wire.send_ints(-10, 0)
    granted
    @reasons = true
    @game ? come_back : join(player)
    read_seats
  end

  # What is due in the registration, or a refusal in its place.
  def reply
    number = @wire.int
    return number unless number.negative?

    raise Refused.new(number, @reasons ? reason : "")
  end

  def reason
    @wire.str
  rescue Lost
    ""
  end

  def granted
    raise Violation, "a reply that is not 1" unless reply == 1
  end

  def join(player)
    @me = player
    if @options[:password]
      @wire.send_ints(-7)
      @wire.send_str(@options[:password])
      granted
    end
    if @options[:table]
      @wire.send_ints(-4)
      @wire.send_str(@options[:table])
      @me = reply
    end
    computers = ((1 << @options[:computers]) - 1) << (4 - @options[:computers])
    @wire.send_ints(-2, 1 << 4 | computers, @options[:end_score], 0)
    @process_id = SecureRandom.random_number(1 << 31)
    @wire.send_ints(@process_id)
  end

  def come_back
    @wire.send_ints(-5, *@game, @me, @process_id, @hands)
    raise Violation, "a reply below 1" if reply < 1

    @wire.send_ints(@process_id)
    @returns += 1
  end

  # Game number, Game ID and names: from here on there is something to come back to.
  def read_seats
    number = reply
    game = [number, @wire.int_of(0.., "the Game ID")]
    names = Array.new(4) { @wire.str }
    ack
    puts "#{@game ? 'back at' : 'game'} #{number}, player #{@me} of #{names.join(', ')}"
    @game = game
    return if @chat || @options[:taunt_port].zero?

    @chat = Chat.new(@options, [*game, @me, @process_id], names)
  end

  def ack
    @wire.send_ints(@me)
  end

  # The games of a session. After coming back to a game that is over the first one begins at its end (5.6).
  def play
    over = @hands.positive? && @flag[0] == 1
    loop do
      rules = read_table
      over = play_hand(rules) until over
      break unless another_game?

      over = false
    end
  end

  def read_table
    version, rules, _end_score, _turn_limit, _computers = Array.new(5) { @wire.int }
    raise Violation, "version #{version} is not spoken here" unless version == 1

    ack
    rules
  end

  def another_game?
    if @flag[1] == 1
      @wire.send_ints(@games_over <= @options[:again] ? 1 : 0)
      @wire.int_of(0..2, "a status")
    end
    another = @wire.int_of(0..1, "New game")
    ack
    another == 1
  end

  # Returns whether the game is over.
  def play_hand(rules)
    hand = Hand.new(@wire.ints_of(13, 1..52, "a card"), rules)
    ack
    pass(hand)
    13.times { play_trick(hand) }
    moon
    scores
  end

  # One choice until it is settled: the block says what to send for the n-th try (5.2). Returns the status.
  def choose(range)
    (0..).each do |try|
      @wire.send_ints(*yield(try))
      status = @wire.int_of(range, "a status")
      return status unless status.negative?

      @tries += 1
    end
  end

  def pass(hand)
    if @wire.int_of(0..3, "a direction").zero?
      ack
    else
      indexes = hand.pass
      indexes = @wire.ints_of(3, 0..12, "a hand index") if choose(-1..1) { indexes } == 1
      hand.receive(indexes, @wire.ints_of(3, 1..52, "a card"))
      ack
    end
  end

  def play_trick(hand)
    leader = @wire.int_of(0..3, "the leader")
    ack
    4.times do |turn|
      if (leader + turn) % 4 == @me
        hand.play(choose_card(hand))
      else
        hand.lay(@wire.int_of(1..52, "a card"))
        ack
      end
    end
    @wire.int_of(0..3, "the winner")
    4.times { @wire.int }
    ack
    hand.take_trick
  end

  def choose_card(hand)
    choices = hand.choices
    tried = 0
    status = choose(-7..13) { |try| choices[tried = try % choices.size] }
    status.zero? ? choices[tried] : status - 1
  end

  def moon
    @wire.int_of(-1..3, "the shooter")
    if @wire.int_of(0..1, "decide") == 1
      choose(-1..2) { 1 } # 26 to each of the others
    else
      ack
    end
  end

  def scores
    scores = Array.new(4) { @wire.int }
    @flag = @wire.int
    @hands += 1 unless @hands.negative?
    @games_over += @flag[0]
    ack
    puts "scores #{scores.join(' ')}#{', the game is over' if @flag[0] == 1}"
    @flag[0] == 1
  end
end

options = { host: "127.0.0.1", port: 7626, taunt_port: 7627, name: "Ruby", computers: 0, end_score: 0, again: 0,
            password: ENV["HEARTS_PASSWORD"] }
OptionParser.new do |parser|
  parser.on("--host HOST")
  parser.on("--port PORT", Integer)
  parser.on("--taunt-host HOST", "the chat's address (default: as --host)")
  parser.on("--taunt-port PORT", Integer, "the chat's port; 0 for no chat")
  parser.on("--name NAME")
  parser.on("--table NAME", "a table to join or to open (default: the next free seat)")
  parser.on("--computers N", Integer, "so many computers at a table that we open")
  parser.on("--end-score N", Integer, "end of game at a table that we open")
  parser.on("--again N", Integer, "wish for so many more games, when asked")
  parser.on("--say TEXT", "one taunt for the chat")
  parser.on("--tls [CA-FILE]", "speak TLS, and trust these certificates instead of the system's")
end.parse!(into: options)
options.transform_keys! { |key| key.to_s.tr("-", "_").to_sym }
options[:tls] = true if options.key?(:tls) && options[:tls].nil?
$stdout.sync = true

begin
  Session.new(options).run
rescue Stop, Violation => e
  warn e.message
  exit 1
rescue Interrupt
  exit 130
end
