// A Hearts client in Java 17, one file, without packages. It plays a session by itself:
//
//     java Hearts.java --host 127.0.0.1 --name Ann --computers 3
//
// It prints a line for each message. After a lost connection it comes back to its seat.
// The exit status is 0 after a whole session, 1 after a refusal or where no server can be reached,
// 2 where the server says something that SocketSpec.md does not allow.
//
// Top down: the command, options, what is kept of a session, the conversation with the game server,
// the chat, the wire, the cards and the choice of one.

import java.io.*;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.*;
import java.util.regex.Pattern;

public final class Hearts {
    /** How long to wait before each try to come back: a minute in all. */
    private static final int[] WAITS_IN_MILLISECONDS = {
        500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000
    };

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    private static int run(String[] args) throws InterruptedException {
        try {
            session(Options.read(args));
            return 0;
        } catch (Refused | IOException failed) {
            System.err.println(failed.getMessage());
            return 1;
        } catch (Nonsense | IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            return 2;
        }
    }

    /** Plays a session to its end, over as many connections as it takes. */
    private static void session(Options options) throws IOException, Refused, InterruptedException {
        var kept = new Kept();
        var chat = new Chat(options.host(), options.tauntPort());
        while (true) {
            try {
                connection(kept, options, chat);
                return;
            } catch (IOException lost) {
                if (!canComeBack(kept)) throw lost;
            } catch (Refused refused) {
                if (!canComeBack(kept) || !kept.losesCount(refused) && refused.isFinal()) throw refused;
            }
            Thread.sleep(WAITS_IN_MILLISECONDS[kept.failures]);
            kept.failures += 1;
        }
    }

    private static boolean canComeBack(Kept kept) {
        return kept.isSeated() && kept.failures < WAITS_IN_MILLISECONDS.length;
    }

    private static void connection(Kept kept, Options options, Chat chat) throws IOException, Refused {
        var wire = new Wire(options.host(), options.port());
        try {
            new Plain(wire, kept, options, chat).session();
        } catch (Refused refused) {
            show("refused", List.of(refused.code), refused.getMessage());
            throw refused;
        } finally {
            wire.close();
            show("end", List.of());
        }
    }

    static void show(String message, List<Integer> numbers, String... texts) {
        var line = new StringBuilder(message).append(':');
        for (int number : numbers) line.append(' ').append(number);
        for (var text : texts) line.append('\t').append(text);
        OUT.println(line.toString());
    }
}

record Options(String host, int port, int tauntPort, String name, String table, int computers,
        int endScore, int again, String say, int drop) {

    private static final Set<String> NAMES = Set.of("--host", "--port", "--taunt-port", "--name",
            "--table", "--computers", "--end-score", "--again", "--say", "--drop");

    static Options read(String[] args) {
        var given = new HashMap<String, String>();
        for (int i = 0; i < args.length; i += 2) {
            if (!NAMES.contains(args[i]) || i + 1 == args.length) {
                throw new IllegalArgumentException(
                        args[i] + " is no option with a value: " + String.join(" ", new TreeSet<>(NAMES)));
            }
            given.put(args[i], args[i + 1]);
        }
        return new Options(
                given.getOrDefault("--host", "127.0.0.1"),
                number(given, "--port", 7626, 65535),
                number(given, "--taunt-port", 7627, 65535),
                given.getOrDefault("--name", "Java"),
                given.getOrDefault("--table", ""),
                number(given, "--computers", 0, 3),
                number(given, "--end-score", 0, 10_000),
                number(given, "--again", 0, 1_000_000),
                given.getOrDefault("--say", ""),
                number(given, "--drop", 0, 1_000_000));
    }

    private static int number(Map<String, String> given, String name, int normally, int highest) {
        var text = given.getOrDefault(name, Integer.toString(normally));
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > highest) {
            throw new IllegalArgumentException(name + " is a number from 0 to " + highest);
        }
        return Integer.parseInt(text);
    }
}

/** What has to outlive a connection, so that the player can come back (5.6). */
final class Kept {
    final int processId = new SecureRandom().nextInt() & Integer.MAX_VALUE;
    int gameNumber; // 0 until there is a seat to come back to
    int gameId;
    int player;
    int hands;
    List<Integer> scores = List.of(0, 0, 0, 0);
    int flag;
    int games;
    boolean said;
    boolean dropped;
    int failures; // tries to come back since the seat was last taken

    boolean isSeated() {
        return gameNumber > 0;
    }

    /** After -103 to a count of hands: once more without, for a power cut may have lost some (5.6). */
    boolean losesCount(Refused refused) {
        if (refused.code != Refused.NO_SUCH_GAME || hands <= 0) return false;
        hands = -1;
        return true;
    }
}

/** The server's refusal (3.7). */
@SuppressWarnings("serial")
final class Refused extends Exception {
    static final int NO_SUCH_GAME = -103;

    final int code;

    Refused(int code, String reason) {
        super(reason);
        this.code = code;
    }

    /** Whether the seat is gone: no such game, or the table is closed (-104). */
    boolean isFinal() {
        return code == NO_SUCH_GAME || code == -104;
    }

    static String withoutReason(int code) {
        return switch (code) {
            case -1 -> "the server is full";
            case -2 -> "too many connections from this address";
            case -4 -> "the server is shutting down";
            default -> "";
        };
    }
}

/** The other side says something that SocketSpec.md does not allow. */
@SuppressWarnings("serial")
final class Nonsense extends RuntimeException {
    Nonsense(String what) {
        super(what);
    }
}

/**
 * The conversation with the game server in the plain dialect, over one connection. Each method is
 * the section of SocketSpec.md whose name it bears.
 */
final class Plain {
    private static final int VERSION = 1;

    private static final int BLOCK_REASONS = -10;
    private static final int BLOCK_TABLE_NAME = -4;
    private static final int BLOCK_COME_BACK = -5;
    private static final int BLOCK_HOW_TO_PLAY = -2;
    private static final int KIND_HEARTS = 1 << 4;

    private static final int GAME_IS_OVER = 1 << 0;
    private static final int YOU_DECIDE = 1 << 1;

    private final Wire wire;
    private final Kept kept;
    private final Options options;
    private final Chat chat;
    private int player;
    private boolean withReasons;
    private Rules rules;
    private int endOfGame;
    private Hand hand;

    Plain(Wire wire, Kept kept, Options options, Chat chat) {
        this.wire = wire;
        this.kept = kept;
        this.options = options;
        this.chat = chat;
    }

    /** Plays to the end of the session. */
    void session() throws IOException, Refused {
        registration();
        boolean isOver = (kept.flag & GAME_IS_OVER) != 0; // then what followed comes again (5.6)
        do {
            table();
            while (!isOver) isOver = aHand();
            if ((kept.flag & YOU_DECIDE) != 0) playAgain();
            isOver = false;
        } while (newGame());
        wire.end();
    }

    // 3 Registration

    private void registration() throws IOException, Refused {
        playerId();
        wire.sendStr(options.name());
        wire.send(BLOCK_REASONS, 0);
        reply("the reply to block -10", 1, 1);
        withReasons = true;
        if (kept.isSeated()) {
            comingBack();
        } else {
            if (!options.table().isEmpty()) tableByName();
            if (player == 0) howTheTableShallPlay();
        }
        wire.send(kept.processId);
        gameNumber();
    }

    private void playerId() throws IOException, Refused {
        player = reply("Player ID", 0, 3);
        Hearts.show("player", List.of(player));
    }

    private void tableByName() throws IOException, Refused {
        wire.send(BLOCK_TABLE_NAME);
        wire.sendStr(options.table());
        int provisional = player;
        player = reply("Player ID", 0, 3);
        if (player != provisional) Hearts.show("player", List.of(player));
    }

    private void howTheTableShallPlay() throws IOException {
        if (options.computers() == 0 && options.endScore() == 0) return;
        int bits = KIND_HEARTS;
        for (int seat = 4 - options.computers(); seat < 4; seat++) bits |= 1 << seat;
        wire.send(BLOCK_HOW_TO_PLAY, bits, options.endScore(), 0);
    }

    private void comingBack() throws IOException, Refused {
        if (kept.hands < 0) kept.flag = 0; // the hand that was dealt last comes again as a whole
        wire.send(BLOCK_COME_BACK);
        wire.send(kept.gameNumber, kept.gameId, kept.player, kept.processId, kept.hands);
        Hearts.show("back", List.of(reply("the reply to block -5", 1, Integer.MAX_VALUE)));
        player = kept.player;
    }

    private void gameNumber() throws IOException, Refused {
        int gameNumber = reply("Game number", 1, Integer.MAX_VALUE);
        int gameId = wire.readInt("Game ID", 0, Integer.MAX_VALUE);
        String[] names = {wire.readStr(), wire.readStr(), wire.readStr(), wire.readStr()};
        kept.gameNumber = gameNumber;
        kept.gameId = gameId;
        kept.player = player;
        kept.failures = 0;
        Hearts.show("seated", List.of(player, gameNumber, gameId), names);
        chat.join(gameNumber, gameId, player, kept.processId);
        ack();
    }

    private void table() throws IOException {
        int version = wire.readInt("version", VERSION, VERSION);
        int bits = wire.readInt("rules");
        endOfGame = wire.readInt("end of game", 1, 10_000);
        int turnLimit = wire.readInt("turn limit", 0, Integer.MAX_VALUE);
        int computers = wire.readInt("computers", 0, 15);
        rules = new Rules(bits);
        Hearts.show("table", List.of(version, bits, endOfGame, turnLimit, computers));
        ack();
    }

    // 4 A hand

    /** Whether it was the last one of the game. */
    private boolean aHand() throws IOException {
        yourHand();
        pass();
        for (int number = 1; number <= 13; number++) {
            trick(whoLeads(), number);
            tallies();
        }
        moon();
        return scores();
    }

    private void yourHand() throws IOException {
        var numbers = wire.readInts(13, "card", 1, 52);
        Hearts.show("hand", numbers);
        hand = new Hand(Card.all(numbers), rules);
        ack();
        if (!options.say().isEmpty() && !kept.said) chat.say(options.say());
        kept.said = true;
    }

    private void pass() throws IOException {
        int direction = wire.readInt("direction", 0, 3);
        Hearts.show("pass", List.of(direction));
        if (direction == 0) {
            ack();
            return;
        }
        var indexes = Choice.pass(hand).stream().map(hand::indexOf).toList();
        int status;
        do status = choice("passing", indexes, -1, 1);
        while (status < 0);
        if (status == 1) {
            indexes = wire.readInts(3, "hand index", 0, 12);
            if (Set.copyOf(indexes).size() != 3) throw new Nonsense("a card was passed twice");
            Hearts.show("passed for me", indexes);
        }
        var received = wire.readInts(3, "card", 1, 52);
        Hearts.show("received", received);
        hand.pass(indexes, Card.all(received));
        ack();
    }

    private int whoLeads() throws IOException {
        int leader = wire.readInt("leader", 0, 3);
        Hearts.show("leads", List.of(leader));
        ack();
        return leader;
    }

    private void trick(int leader, int number) throws IOException {
        hand.newTrick();
        for (int place = 0; place < 4; place++) {
            int turn = (leader + place) % 4;
            if (turn == player) ownCard(number);
            else cardOf(turn);
        }
    }

    private void cardOf(int other) throws IOException {
        int card = wire.readInt("card", 1, 52);
        Hearts.show("saw", List.of(other, card));
        hand.playOther(new Card(card));
        ack();
    }

    private void ownCard(int number) throws IOException {
        if (options.drop() > 0 && options.drop() == kept.hands * 13 + number && !kept.dropped) {
            kept.dropped = true;
            throw new EOFException("dropped, as --drop wishes");
        }
        var untried = new LinkedHashSet<>(List.of(Choice.card(hand)));
        untried.addAll(hand.held());
        for (var card : untried) {
            int index = hand.indexOf(card);
            int status = choice("play", List.of(index), -7, 13);
            if (status >= 0) {
                hand.playOwn(status > 0 ? status - 1 : index);
                return;
            }
        }
        throw new Nonsense("the server took none of the cards that are held");
    }

    private void tallies() throws IOException {
        var tallies = new ArrayList<>(List.of(wire.readInt("winner", 0, 3)));
        for (int of = 0; of < 4; of++) tallies.add(wire.readInt("points"));
        Hearts.show("tallies", tallies);
        ack();
    }

    private void moon() throws IOException {
        int shooter = wire.readInt("shooter", -1, 3);
        int decide = wire.readInt("decide", 0, shooter == player ? 1 : 0);
        Hearts.show("moon", List.of(shooter, decide));
        if (decide == 0) {
            ack();
            return;
        }
        int wish = Choice.moon(player, kept.scores, endOfGame);
        int status;
        do status = choice("deciding", List.of(wish), -1, 2);
        while (status < 0);
    }

    private boolean scores() throws IOException {
        var scores = wire.readInts(4, "score", Integer.MIN_VALUE, Integer.MAX_VALUE);
        int flag = wire.readInt("the flag of Scores", 0, 63);
        boolean isOver = (flag & GAME_IS_OVER) != 0;
        if (flag != 0 && !isOver) throw new Nonsense("the flag of Scores is " + flag);
        var all = new ArrayList<>(scores);
        all.add(flag);
        Hearts.show("scores", all);
        kept.scores = scores;
        kept.flag = flag;
        if (kept.hands >= 0) kept.hands += 1;
        if (isOver) kept.games += 1;
        ack();
        return isOver;
    }

    private void playAgain() throws IOException {
        int wish = kept.games <= options.again() ? 1 : 0;
        choice("again", List.of(wish), 0, 2);
    }

    private boolean newGame() throws IOException {
        int follows = wire.readInt("New game", 0, 1);
        Hearts.show("new game", List.of(follows));
        kept.scores = List.of(0, 0, 0, 0);
        ack();
        return follows == 1;
    }

    // 5 Keeping in step

    private void ack() throws IOException {
        wire.send(player);
    }

    /** One choice, one status; only after a negative status comes another choice (5.2). */
    private int choice(String line, List<Integer> choice, int lowest, int highest) throws IOException {
        for (int number : choice) wire.send(number);
        int status = wire.readInt("the status of " + line, lowest, highest);
        var shown = new ArrayList<>(choice);
        shown.add(status);
        Hearts.show(line, shown);
        return status;
    }

    /** An int in whose place a refusal can come (3.7). */
    private int reply(String what, int lowest, int highest) throws IOException, Refused {
        int value = wire.readInt(what, Integer.MIN_VALUE, highest);
        if (value < 0) {
            throw new Refused(value, withReasons ? wire.readStr() : Refused.withoutReason(value));
        }
        if (value < lowest) throw new Nonsense(what + " is " + value);
        return value;
    }
}

/** The chat of the table, on the taunt server (9), in a thread of its own. */
final class Chat {
    private final String host;
    private final int port;
    private final Queue<String> unsaid = new ArrayDeque<>();
    private Thread thread;
    private int[] seat;
    private Wire wire;

    /** With port 0 nothing is said or heard. */
    Chat(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** Registers with the numbers of a seat, unless that is done. */
    void join(int... numbers) {
        if (port == 0 || thread != null && thread.isAlive()) return;
        seat = numbers;
        thread = new Thread(this::listen, "chat");
        thread.setDaemon(true);
        thread.start();
    }

    /** Says it now, or as soon as the taunt server is there. */
    synchronized void say(String text) {
        unsaid.add(text);
        sending();
    }

    private void listen() {
        try (var opened = new Wire(host, port)) {
            opened.send(seat);
            if (opened.readInt("the status of the registration", -1, 1) != 1) {
                throw new IOException("the taunt server refused the registration");
            }
            registered(opened);
            while (true) {
                int taunter = opened.readInt("taunter", -1, 3);
                Hearts.show("taunt", List.of(taunter), opened.readStr());
            }
        } catch (IOException | Nonsense over) {
            System.err.println("no chat: " + over.getMessage());
        } finally {
            registered(null);
        }
    }

    private synchronized void registered(Wire opened) {
        wire = opened;
        sending();
    }

    private void sending() {
        try {
            while (wire != null && !unsaid.isEmpty()) {
                wire.send(seat);
                wire.sendStr(unsaid.remove());
                wire.flush();
            }
        } catch (IOException lost) {
            wire = null; // the thread that reads hears of it
        }
    }
}

/** Ints and strs over one TCP connection (1.3-1.7). What is sent goes out before the next read. */
final class Wire implements AutoCloseable {
    private static final int LONGEST_STR = 1024;
    private static final int CONNECT_MILLISECONDS = 10_000;

    /** What could end a line or turn the direction of writing; no str may hold it (1.4). */
    private static final Pattern CONTROL =
            Pattern.compile("[\\p{Cc}\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;

    Wire(String host, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLISECONDS);
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        } catch (IOException failed) {
            socket.close();
            throw new IOException(
                    "cannot connect to %s, port %d: %s".formatted(host, port, failed.getMessage()));
        }
    }

    void send(int... ints) throws IOException {
        for (int number : ints) out.writeInt(number);
    }

    void sendStr(String text) throws IOException {
        var bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    void flush() throws IOException {
        out.flush();
    }

    int readInt(String what) throws IOException {
        flush();
        try {
            return in.readInt();
        } catch (EOFException end) {
            throw new EOFException("the stream ended where " + what + " was to come");
        }
    }

    int readInt(String what, int lowest, int highest) throws IOException {
        int value = readInt(what);
        if (value < lowest || value > highest) {
            throw new Nonsense("%s is %d, not %d to %d".formatted(what, value, lowest, highest));
        }
        return value;
    }

    List<Integer> readInts(int count, String what, int lowest, int highest) throws IOException {
        var values = new ArrayList<Integer>();
        while (values.size() < count) values.add(readInt(what, lowest, highest));
        return values;
    }

    String readStr() throws IOException {
        var bytes = new byte[readInt("the length of a str", 1, LONGEST_STR)];
        int length = bytes.length - 1;
        if (in.readNBytes(bytes, 0, bytes.length) <= length) throw new EOFException("the stream ended in a str");
        if (bytes[length] != 0) throw new Nonsense("a str without a NUL at its end");
        String text;
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            text = decoder.decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException wrong) {
            throw new Nonsense("a str that is not UTF-8");
        }
        if (CONTROL.matcher(text).find()) throw new Nonsense("a str with a control character");
        return text;
    }

    /** Waits for the end of the stream. */
    void end() {
        int more;
        try {
            flush();
            more = in.read();
        } catch (IOException lost) {
            return;
        }
        if (more >= 0) throw new Nonsense("bytes behind the last message");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

enum Suit { HEARTS, CLUBS, DIAMONDS, SPADES }

/** A card by its number, 1 to 52 (section 8). */
record Card(int number) {
    static final Card TWO_OF_CLUBS = new Card(15);
    static final Card JACK_OF_DIAMONDS = new Card(37);
    static final Card ACE_OF_SPADES = new Card(40);
    static final Card QUEEN_OF_SPADES = new Card(51);
    static final Card KING_OF_SPADES = new Card(52);

    static List<Card> all(List<Integer> numbers) {
        return numbers.stream().map(Card::new).toList();
    }

    Suit suit() {
        return Suit.values()[(number - 1) / 13];
    }

    /** 1 for a two up to 13 for an ace. */
    int strength() {
        int rank = (number - 1) % 13;
        return rank == 0 ? 13 : rank;
    }

    boolean isPointCard() {
        return suit() == Suit.HEARTS || equals(QUEEN_OF_SPADES);
    }
}

/** The rules of Table as bits (6.1). The server keeps those that are not named here. */
record Rules(int bits) {
    Rules {
        if ((bits & 0x1000ff) != 0 || (bits >> 9 & 3) == 3 || (bits >> 11 & 3) == 3) {
            throw new Nonsense("rules " + bits + " have no meaning");
        }
    }

    boolean jack() { return has(8); }
    boolean dump() { return has(13); }
    boolean bleed() { return has(14); }
    boolean rotate() { return has(15); }
    boolean queenKeeps() { return has(19); }

    private boolean has(int bit) {
        return (bits >> bit & 1) == 1;
    }
}

/** What one player knows of a hand. A card keeps its hand index, 0 to 12 (4.1). */
final class Hand {
    final Rules rules;
    List<Card> trick = new ArrayList<>();
    private final List<Card> cards;
    private final Set<Card> played = new HashSet<>();
    boolean isFirstTrick = true;
    boolean broken = false;

    Hand(List<Card> cards, Rules rules) {
        this.cards = new ArrayList<>(cards);
        this.rules = rules;
        for (int i = 1; i < 13; i++) {
            if (cards.get(i).number() <= cards.get(i - 1).number()) {
                throw new Nonsense("the cards of a hand are not in order");
            }
        }
    }

    /** The cards that are still held. */
    List<Card> held() {
        return cards.stream().filter(card -> !played.contains(card)).toList();
    }

    int indexOf(Card card) {
        return cards.indexOf(card);
    }

    /** What was received takes the indexes of what was passed, in that order (4.2). */
    void pass(List<Integer> indexes, List<Card> received) {
        var all = new HashSet<>(cards);
        all.addAll(received);
        if (all.size() != 16) throw new Nonsense("a received card was held already");
        for (int place = 0; place < 3; place++) cards.set(indexes.get(place), received.get(place));
    }

    void newTrick() {
        isFirstTrick = played.isEmpty();
        trick = new ArrayList<>();
    }

    void playOwn(int index) {
        play(cards.get(index));
    }

    void playOther(Card card) {
        if (cards.contains(card)) throw new Nonsense("another played " + card + " of this hand");
        play(card);
    }

    private void play(Card card) {
        if (!played.add(card)) throw new Nonsense(card + " was played twice");
        trick.add(card);
        if (card.suit() == Suit.HEARTS
                || card.equals(Card.QUEEN_OF_SPADES) && !rules.queenKeeps()) broken = true;
    }

    /** A player always has one, unless somebody else should lead. */
    List<Card> legal() {
        var legal = held().stream().filter(card -> status(card) == 0).toList();
        if (legal.isEmpty()) throw new Nonsense("none of the cards that are held is legal");
        return legal;
    }

    /** The status that the server would give to a card (6.3). */
    int status(Card card) {
        var held = held();
        boolean leads = trick.isEmpty();
        var following = leads ? List.<Card>of() : of(trick.get(0).suit(), held);
        var candidates = following.isEmpty() ? held : following;
        boolean noPoints = isFirstTrick && !rules.bleed() && !candidates.stream().allMatch(Card::isPointCard);
        boolean queenMustGo = rules.dump() && !leads && !noPoints
                && candidates.contains(Card.QUEEN_OF_SPADES)
                && (following.isEmpty()
                        || trick.contains(Card.ACE_OF_SPADES)
                        || trick.contains(Card.KING_OF_SPADES));
        boolean onlyHearts = of(Suit.HEARTS, held).equals(held);

        if (!held.contains(card)) return -1;
        if (leads && isFirstTrick && !rules.rotate() && !card.equals(Card.TWO_OF_CLUBS)) return -6;
        if (!candidates.contains(card)) return -2;
        if (noPoints && card.isPointCard()) return -5;
        if (queenMustGo && !card.equals(Card.QUEEN_OF_SPADES)) return -4;
        if (leads && card.suit() == Suit.HEARTS && !broken && !onlyHearts) return -7;
        return 0;
    }

    static List<Card> of(Suit suit, List<Card> cards) {
        return cards.stream().filter(card -> card.suit() == suit).toList();
    }
}

/** Simple sense: which cards to pass and to play, and what to do with a moon. */
final class Choice {
    private Choice() {}

    static List<Card> pass(Hand hand) {
        return hand.held().stream().sorted(byDanger(hand.rules).reversed()).limit(3).toList();
    }

    static Card card(Hand hand) {
        var legal = hand.legal();
        if (hand.trick.isEmpty()) return lowest(legal);
        var led = hand.trick.get(0).suit();
        if (legal.get(0).suit() != led) return Collections.max(legal, byDanger(hand.rules));

        int winning = highest(Hand.of(led, hand.trick)).strength();
        var below = legal.stream().filter(card -> card.strength() < winning).toList();
        if (below.contains(Card.QUEEN_OF_SPADES)) return Card.QUEEN_OF_SPADES;
        if (!below.isEmpty()) return highest(below);

        var above = legal.stream().filter(card -> !card.equals(Card.QUEEN_OF_SPADES)).toList();
        if (above.isEmpty()) return Card.QUEEN_OF_SPADES;
        boolean isCheap = hand.trick.size() == 3 && hand.trick.stream().noneMatch(Card::isPointCard);
        return isCheap ? highest(above) : lowest(above);
    }

    /** 26 points to each of the others where that wins the game at once, else 26 off one's own. */
    static int moon(int player, List<Integer> scores, int endOfGame) {
        var others = new ArrayList<>(scores);
        int own = others.remove(player);
        boolean ends = Collections.max(others) + 26 >= endOfGame;
        return ends && own < Collections.min(others) + 26 ? 1 : 0;
    }

    /** How much a player wants to be rid of a card. */
    private static int danger(Card card, Rules rules) {
        if (card.equals(Card.QUEEN_OF_SPADES)) return 100;
        if (card.equals(Card.KING_OF_SPADES) || card.equals(Card.ACE_OF_SPADES)) return 50;
        if (card.equals(Card.JACK_OF_DIAMONDS) && rules.jack()) return 0;
        return card.strength() + (card.suit() == Suit.HEARTS ? 10 : 0);
    }

    private static Comparator<Card> byDanger(Rules rules) {
        return Comparator.comparingInt(card -> danger(card, rules));
    }

    private static Card highest(List<Card> cards) {
        return Collections.max(cards, Comparator.comparingInt(Card::strength));
    }

    private static Card lowest(List<Card> cards) {
        return Collections.min(cards, Comparator.comparingInt(Card::strength));
    }
}
