#!/usr/bin/env perl
# hearts.pl: a Hearts client in one file of Perl, with the modules that come with Perl 5.30.
#
#     perl hearts.pl --name Ann --computers 3
#
# It speaks the plain dialect of SocketSpec.md; the numbers in the comments are sections of that
# file. It plays a whole session by simple sense, chats, and comes back when its connection is
# lost. README.md, one folder up, has the options and the lines that it prints.
#
# Exit status: 0 the session was played to its end, 1 refused or lost, 2 the server talks nonsense.
use strict;
use warnings;

use Encode qw(decode encode);
use Errno qw(EAGAIN EINPROGRESS EINTR EWOULDBLOCK);
use Getopt::Long;
use IO::Select;
use IO::Socket::IP;
use List::Util qw(any max min);
use Socket qw(IPPROTO_TCP SOL_SOCKET SO_KEEPALIVE TCP_NODELAY);
use Time::HiRes qw(time);

use constant { INT_MIN => -2**31, INT_MAX => 2**31 - 1, TEXT_SIZE => 1024 };
use constant { REASONS => -10, COME_BACK => -5, TABLE_BY_NAME => -4, TABLE_OPTIONS => -2 };
use constant { NO_SUCH_GAME => -103 };
use constant { FIRST_WAIT => 0.5, LONGEST_WAIT => 10, PATIENCE => 60 };
use constant { GAME_OVER => 1, ASKED => 2 };    # bits of the flag in Scores

my %option = (
    host => '127.0.0.1', port => 7626, 'taunt-port' => 7627, name => 'Pearl',
    computers => 0, 'end-score' => 0, again => 0, drop => 0,
);
my %seat = (taken => 0, hands => 0, flag => 0);    # what proves that a seat is ours, and how far we are
my %game = (socket => undef, in => '', out => '');
my %chat = (socket => undef, state => '', in => '', say => undef);
my ($wait, $waited) = (FIRST_WAIT, 0);
my $me;          # the Player ID that acks carry
my $rules;

# ---- Printing ----

sub show {
    my ($name, $numbers, @texts) = @_;
    print join("\t", join(' ', "$name:", @$numbers), @texts), "\n";
    return;
}

sub end_connection {
    show('end', []) if $game{socket};
    close delete $game{socket} if $game{socket};
    return;
}

sub leave {
    my ($status, $reason) = @_;
    end_connection();
    print STDERR "hearts: $reason\n";
    exit $status;
}

sub lose_connection {
    end_connection();
    die { lost => 1 };
}

# ---- Numbers and texts (1.3, 1.4) ----

my $CONTROL = qr/[\x00-\x1F\x7F-\x9F\x{61C}\x{200E}\x{200F}\x{2028}-\x{202E}\x{2066}-\x{2069}]/;

sub int_bytes { return pack 'l>*', @_ }

sub str_bytes {
    my $bytes = encode('UTF-8', $_[0]) . "\0";
    return int_bytes(length $bytes) . $bytes;
}

# The text in the bytes of a str behind its length; undef if that is none.
sub text_in {
    my ($bytes) = @_;
    return undef if substr($bytes, -1, 1, '') ne "\0";
    my $text = eval { decode('UTF-8', $bytes, Encode::FB_CROAK) };
    return defined $text && $text !~ $CONTROL ? $text : undef;
}

# ---- The taunt server (9) ----

sub chat_hang_up {
    close delete $chat{socket} if $chat{socket};
    return;
}

sub chat_call {
    return if $chat{socket} || !$option{'taunt-port'};
    $chat{socket} = IO::Socket::IP->new(
        PeerHost => $game{socket}->peerhost,
        PeerPort => $option{'taunt-port'},
        Blocking => 0,
    );
    @chat{qw(state in)} = ('calling', '');
    return;
}

sub four_numbers { return int_bytes(@seat{qw(game_number game_id player process_id)}) }

sub chat_send {
    my ($bytes) = @_;
    my $sent = syswrite $chat{socket}, $bytes;
    chat_hang_up() if ($sent // 0) != length $bytes;    # so little fits, or nobody reads any more
    return;
}

sub chat_register {
    if ($chat{socket}->connect) {
        $chat{state} = 'registering';
        chat_send(four_numbers());
    } elsif ($! != EINPROGRESS && $! != EWOULDBLOCK) {
        chat_hang_up();
    }
    return;
}

sub chat_say {
    return unless $chat{socket} && $chat{state} eq 'talking' && defined $chat{say};
    chat_send(four_numbers() . str_bytes(delete $chat{say}));
    return;
}

# Takes the first message from what has arrived; whether there may be another one.
sub chat_message {
    if ($chat{state} eq 'registering' && length $chat{in} >= 4) {
        $chat{state} = 'talking';
        return substr($chat{in}, 0, 4, '') eq int_bytes(1) ? 1 : chat_hang_up();
    }
    return 0 if $chat{state} ne 'talking' || length $chat{in} < 8;
    my ($taunter, $length) = unpack 'l>2', $chat{in};
    return chat_hang_up() if $taunter < -1 || $taunter > 3 || $length < 1 || $length > TEXT_SIZE;
    return 0 if length $chat{in} < 8 + $length;
    my $text = text_in(substr substr($chat{in}, 0, 8 + $length, ''), 8);
    return chat_hang_up() unless defined $text;
    show('taunt', [$taunter], $text);
    return 1;
}

sub chat_read {
    my $got = sysread $chat{socket}, $chat{in}, 4096, length $chat{in};
    return if !defined $got && ($! == EAGAIN || $! == EINTR);
    return chat_hang_up() unless $got;
    1 while $chat{socket} && chat_message();
    chat_say();
    return;
}

# ---- The connection to the game server (1.6) ----

# Waits until the game server has something for us, or for so long (undef: for ever).
sub await_game {
    my ($seconds) = @_;
    my $deadline = time + ($seconds // 0);
    while (1) {
        my $left = defined $seconds ? $deadline - time : undef;
        return if defined $left && $left <= 0;
        my $calling = $chat{socket} && $chat{state} eq 'calling';
        my $read    = IO::Select->new(grep { defined } $game{socket}, $calling ? undef : $chat{socket});
        my $write   = IO::Select->new($calling ? $chat{socket} : ());
        my ($readable, $writable) = IO::Select->select($read, $write, undef, $left);
        chat_register() if @{ $writable // [] };
        chat_read() if !$calling && any { $_ == ($chat{socket} // 0) } @{ $readable // [] };
        return if any { $_ == ($game{socket} // 0) } @{ $readable // [] };
    }
}

sub flush_game {
    while (length $game{out}) {
        my $sent = syswrite $game{socket}, $game{out};
        lose_connection() unless $sent || $! == EINTR;
        substr($game{out}, 0, $sent // 0, '');
    }
    return;
}

# What we say is collected until we have to wait: an ack and the choice after it go together.
sub send_bytes {
    $game{out} .= $_[0];
    flush_game() if length $game{out} > 1024;
    return;
}

sub send_ints { return send_bytes(int_bytes(@_)) }
sub ack       { return send_ints($me) }

sub recv_bytes {
    my ($count) = @_;
    while (length $game{in} < $count) {
        flush_game();
        await_game();
        sysread $game{socket}, $game{in}, 4096, length $game{in} or lose_connection();
    }
    return substr $game{in}, 0, $count, '';
}

# An int that has to lie between two bounds.
sub recv_int {
    my ($what, $least, $most) = @_;
    my $number = unpack 'l>', recv_bytes(4);
    leave(2, "the server sent $number as $what") if $number < $least || $number > $most;
    return $number;
}

sub recv_str {
    my $text = text_in(recv_bytes(recv_int('the length of a text', 1, TEXT_SIZE)));
    return $text // leave(2, 'the server sent a text that is none');
}

sub connect_game {
    $game{socket} = IO::Socket::IP->new(PeerHost => $option{host}, PeerPort => $option{port});
    if (!$game{socket}) {
        print STDERR "hearts: no connection to $option{host}, port $option{port}: $@\n";
        die { lost => 1 };
    }
    setsockopt $game{socket}, SOL_SOCKET,  SO_KEEPALIVE, 1;
    setsockopt $game{socket}, IPPROTO_TCP, TCP_NODELAY,  1;
    @game{qw(in out)} = ('', '');
    return;
}

# ---- Registration (3) ----

# A full server and one that shuts down may have a seat for us later, if we had one (3.7, 5.6). One that
# has lost hands in a power cut does not know our count of them, and is asked once without.
sub refused {
    my ($code, $has_reason) = @_;
    my $reason = $has_reason ? recv_str() : 'the server is full or shuts down';
    show('refused', [$code], $reason);
    my $is_count_lost = $code == NO_SUCH_GAME && $seat{hands} > 0;
    $seat{hands} = -1 if $is_count_lost;
    lose_connection() if $seat{taken} && ($code > -100 || $is_count_lost);
    return leave(1, "refused: $reason ($code)");
}

sub recv_reply {
    my ($what, $least, $most, $has_reason) = @_;
    my $reply = recv_int($what, INT_MIN, $most);
    refused($reply, $has_reason) if $reply < 0;
    leave(2, "the server sent $reply as $what") if $reply < $least;
    return $reply;
}

sub come_back {
    $seat{flag} = 0 if $seat{hands} < 0;    # the hand that was dealt last comes again as a whole
    send_ints(COME_BACK, @seat{qw(game_number game_id player process_id hands)});
    show('back', [recv_reply('the reply to block -5', 1, INT_MAX, 1)]);
    $me = $seat{player};
    return;
}

sub choose_table {
    if (defined $option{table}) {
        send_bytes(int_bytes(TABLE_BY_NAME) . str_bytes($option{table}));
        my $given = recv_reply('a Player ID', 0, 3, 1);
        show('player', [$given]) if $given != $me;
        $me = $given;
    }
    if ($option{computers} || $option{'end-score'}) {
        my $bits = 1 << 4;    # Hearts
        $bits |= 1 << $_ for 4 - $option{computers} .. 3;
        send_ints(TABLE_OPTIONS, $bits, $option{'end-score'}, 0);
    }
    return;
}

sub register_player {
    $me = recv_reply('a Player ID', 0, 3, 0);
    show('player', [$me]);
    send_bytes(str_bytes($option{name}));
    send_ints(REASONS, 0);
    recv_reply('the reply to block -10', 1, 1, 0);
    $seat{taken} ? come_back() : choose_table();
    send_ints($seat{process_id});

    my $game_number = recv_reply('a Game number', 1, INT_MAX, 1);
    my $game_id     = recv_int('a Game ID', 0, INT_MAX);
    my @names       = map { recv_str() } 0 .. 3;
    show('seated', [$me, $game_number, $game_id], @names);
    ack();
    @seat{qw(taken game_number game_id player)} = (1, $game_number, $game_id, $me);
    ($wait, $waited) = (FIRST_WAIT, 0);
    return;
}

# ---- Cards and rules (1.5, 6) ----

use constant { HEARTS => 0, CLUBS => 1, DIAMONDS => 2, SPADES => 3 };
use constant { TWO_OF_CLUBS => 15, JACK_OF_DIAMONDS => 37 };
use constant { ACE_OF_SPADES => 40, QUEEN_OF_SPADES => 51, KING_OF_SPADES => 52 };
use constant { JACK => 1 << 8, DUMP => 1 << 13, BLEED => 1 << 14, ROTATE => 1 << 15 };
use constant { QUEEN_KEEPS => 1 << 19 };

my @card;     # by hand index; 0 where the card is played
my @trick;    # the cards that lie
my ($first, $broken);

sub suit { return int(($_[0] - 1) / 13) }
sub rank { return ($_[0] - 1) % 13 + 1 == 1 ? 14 : ($_[0] - 1) % 13 + 1 }
sub is_point_card { return suit($_[0]) == HEARTS || $_[0] == QUEEN_OF_SPADES }

sub legal_cards {
    my @held      = grep { $_ } @card;
    my @following = grep { @trick && suit($_) == suit($trick[0]) } @held;
    my @legal     = @following ? @following : @held;
    return TWO_OF_CLUBS if !@trick && $first && !($rules & ROTATE);
    @legal = preferably(sub { !is_point_card($_) }, @legal) if $first && !($rules & BLEED);
    my $queen_in_danger = @trick && (!@following || any { $_ == ACE_OF_SPADES || $_ == KING_OF_SPADES } @trick);
    return QUEEN_OF_SPADES if $rules & DUMP && $queen_in_danger && any { $_ == QUEEN_OF_SPADES } @legal;
    @legal = preferably(sub { suit($_) != HEARTS }, @legal) if !@trick && !$broken;
    return @legal;
}

# Those that fit; all, where none does.
sub preferably {
    my ($fits, @cards) = @_;
    my @fitting = grep { $fits->() } @cards;
    return @fitting ? @fitting : @cards;
}

# ---- Simple sense ----

# How glad we are to be rid of a card.
sub burden {
    my ($card) = @_;
    return 50 if $card == QUEEN_OF_SPADES;
    return 40 if $card == ACE_OF_SPADES || $card == KING_OF_SPADES;
    return 0 if $card == JACK_OF_DIAMONDS && $rules & JACK;
    return rank($card) + (suit($card) == HEARTS ? 10 : 0);
}

sub weight_in_trick {
    my ($card) = @_;
    return -burden($card) unless @trick;    # lead low
    my $led = suit($trick[0]);
    return burden($card) if suit($card) != $led;    # a discard
    my $highest = max map { rank($_) } grep { suit($_) == $led } @trick;
    return 100 + burden($card) if rank($card) < $highest;    # duck as high as one can
    my $harmless = @trick == 3 && !any { is_point_card($_) } $card, @trick;
    return $harmless ? burden($card) : -burden($card);
}

sub by_weight {
    my ($weight, @indexes) = @_;
    my %weight = map { $_ => $weight->($card[$_]) } @indexes;
    my @sorted = sort { $weight{$b} <=> $weight{$a} || $a <=> $b } @indexes;
    return @sorted;
}

# ---- A hand (4) ----

sub recv_cards {
    my ($line, $count) = @_;
    my @cards = (0);
    push @cards, recv_int('a card (they are sorted)', $cards[-1] + 1, 52) for 1 .. $count;
    shift @cards;
    show($line, \@cards);
    return @cards;
}

sub your_hand {
    @card = recv_cards('hand', 13);
    ack();
    $broken = 0;
    $chat{say} = delete $option{say} if defined $option{say};
    chat_call();
    chat_say();
    return;
}

sub pass {
    my $direction = recv_int('a direction', 0, 3);
    show('pass', [$direction]);
    return ack() if $direction == 0;
    my @index = (by_weight(\&burden, 0 .. 12))[0 .. 2];
    my $status = -1;
    while ($status < 0) {
        send_ints(@index);
        $status = recv_int('the status of a pass', -1, 1);
        show('passing', [@index, $status]);
    }
    if ($status == 1) {
        @index = map { recv_int('a hand index', 0, 12) } 1 .. 3;
        show('passed for me', \@index);
    }
    @card[@index] = recv_cards('received', 3);
    return ack();
}

sub lay {
    my ($card) = @_;
    push @trick, $card;
    $broken ||= suit($card) == HEARTS || ($card == QUEEN_OF_SPADES && !($rules & QUEEN_KEEPS));
    return;
}

# A legal choice, another one after each negative status, and what was decided in the end (4.4, 5.2).
sub play_card {
    my %legal  = map { $_ => 1 } legal_cards();
    my @legal  = grep { $legal{ $card[$_] } } 0 .. 12;
    my $status = -1;
    my $index;
    for my $try (by_weight(\&weight_in_trick, @legal)) {
        send_ints($try);
        $status = recv_int('the status of a card', -7, 13);
        show('play', [$try, $status]);
        $index = $status > 0 ? $status - 1 : $try;
        last if $status >= 0;
    }
    leave(2, 'the server takes none of our cards') if $status < 0;
    leave(2, 'the server played a card for us that we do not hold') unless $card[$index];
    lay($card[$index]);
    $card[$index] = 0;
    return;
}

sub trick {
    my ($number) = @_;
    my $leader = recv_int('who leads', 0, 3);
    show('leads', [$leader]);
    ack();
    $first = $number == 1;
    @trick = ();
    for my $player (map { $_ % 4 } $leader .. $leader + 3) {
        if ($player == $me) {
            if ($option{drop} && $option{drop} == 13 * $seat{hands} + $number) {
                $option{drop} = 0;
                lose_connection();
            }
            play_card();
        } else {
            lay(recv_int('a card', 1, 52));
            show('saw', [$player, $trick[-1]]);
            ack();
        }
    }
    my $winner = recv_int('the winner of a trick', 0, 3);
    show('tallies', [$winner, map { recv_int('points', INT_MIN, INT_MAX) } 0 .. 3]);
    return ack();
}

sub moon {
    my $shooter = recv_int('who shot the moon', -1, 3);
    my $decide  = recv_int('who decides the moon', 0, $shooter == $me ? 1 : 0);
    show('moon', [$shooter, $decide]);
    return ack() unless $decide;
    my $status = -1;
    while ($status < 0) {
        send_ints(1);    # 26 points to each of the others
        $status = recv_int('the status of the moon', -1, 2);
        show('deciding', [1, $status]);
    }
    return;
}

sub scores {
    my @scores = map { recv_int('a score', INT_MIN, INT_MAX) } 0 .. 3;
    $seat{flag} = recv_int('the flag of the scores', 0, INT_MAX);
    $seat{hands}++ if $seat{hands} >= 0;
    show('scores', [@scores, $seat{flag}]);
    return ack();
}

# ---- A session (2.1) ----

sub table {
    my $version = recv_int('the version (we speak 1)', 1, 1);
    $rules = recv_int('rules', 0, INT_MAX);
    my $end   = recv_int('the end of a game', 1, 10000);
    my $limit = recv_int('a turn limit', 0, INT_MAX);
    show('table', [$version, $rules, $end, $limit, recv_int('computers', 0, 15)]);
    return ack();
}

sub play_again {
    my $wish = $option{again} > 0 ? 1 : 0;
    $option{again} -= $wish;
    send_ints($wish);
    show('again', [$wish, recv_int('the status of another game', 0, 2)]);
    return;
}

sub new_game {
    my $another = recv_int('New game', 0, 1);
    show('new game', [$another]);
    ack();
    return $another;
}

sub play_games {
    my $over = $seat{flag} & GAME_OVER;    # we come back, and the Scores that we had last ended a game
    do {
        table();
        while (!$over) {
            your_hand();
            pass();
            trick($_) for 1 .. 13;
            moon();
            scores();
            $over = $seat{flag} & GAME_OVER;
        }
        play_again() if $seat{flag} & ASKED;
        $over = 0;
    } while (new_game());
    return;
}

# Whether the session was played to its end over this connection.
sub play_session {
    return 1 if eval {
        connect_game();
        register_player();
        play_games();
        flush_game();
        await_game();
        end_connection();
        1;
    };
    die $@ unless ref $@ && $@->{lost};
    return 0;
}

sub draw_process_id {
    open my $source, '<:raw', '/dev/urandom' or leave(1, "no random numbers here: $!");
    read($source, my $bytes, 4) == 4 or leave(1, 'no random numbers here');
    close $source;
    return unpack('l>', $bytes) & INT_MAX;
}

sub read_options {
    $_ = decode('UTF-8', $_) for @ARGV;
    my @texts   = map { "$_=s" } qw(host name table say);
    my @numbers = map { "$_=i" } qw(port taunt-port computers end-score again drop);
    GetOptions(\%option, @texts, @numbers) or exit 1;
    return;
}

$| = 1;
binmode $_, ':encoding(UTF-8)' for *STDOUT, *STDERR;
local $SIG{PIPE} = 'IGNORE';
read_options();
$seat{process_id} = draw_process_id();
until (play_session()) {
    leave(1, 'no connection, and no seat to come back to') unless $seat{taken};
    leave(1, 'the server does not come back') if $waited >= PATIENCE;
    await_game($wait);
    $waited += $wait;
    $wait = min(2 * $wait, LONGEST_WAIT);
}
chat_hang_up();
