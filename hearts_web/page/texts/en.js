// All texts of the page in English. Other languages have the same ones (Texts in texts.js).

/** @param {number} number @param {string} one @param {string} many */
const count = (number, one, many) => `${number} ${number === 1 || number === -1 ? one : many}`;

const RANKS = ['', 'ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const SUITS = ['hearts', 'clubs', 'diamonds', 'spades'];
const WHERE = ['nobody', 'left', 'right', 'across'];

/** @param {string[]} words */
const inARow = (words) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;

export const texts = {
  title: 'Hearts',
  you: 'You',
  inARow,
  /** @param {string} name */
  quoted: (name) => `“${name.replace(/["“”„]/g, "'")}”`,
  /** @param {string} name @param {number} seat */
  atSeat: (name, seat) => `${name} (seat ${seat})`,
  /** @param {number} card */
  card: (card) => `${RANKS[((card - 1) % 13) + 1]} of ${SUITS[Math.floor((card - 1) / 13)]}`,
  /** @param {number[]} cards */
  cards: (cards) => inARow(cards.map(texts.card)),
  /** @param {number} number */
  points: (number) => count(number, 'point', 'points'),
  /** @param {number} number */
  signed: (number) => (number > 0 ? `+${number}` : `${number}`.replace('-', '−')),
  close: 'Close',
  cancel: 'Cancel',

  start: {
    lead: 'Four players, thirteen tricks, and one queen that nobody wants.',
    name: 'Your name',
    namePlaceholder: 'What the others call you',
    needName: 'Please enter a name of at most 30 letters.',
    playNow: 'Play now',
    playNowHint: 'against three computers',
    friends: 'With friends',
    makeTable: 'Make a table',
    makeHint: 'and send a link',
    public: 'Play with whoever comes',
    publicHint: 'at the next public table',
    wait: 'Wait to be invited',
    waitHint: 'to the table of somebody else',
    password: 'Password of this server',
    tables: 'Tables',
    noTables: 'No public table is open at the moment.',
    refresh: 'Look again',
    join: 'Join',
    watch: 'Watch',
    forming: 'forming',
    playing: 'playing',
    /** @param {number} seats */
    free: (seats) => count(seats, 'free seat', 'free seats'),
    comeBack: 'You have a seat at a table.',
    back: 'Coming back to your seat…',
    loading: 'One moment…',
    statistics: 'Your games',
    options: 'Options',
  },
  invited: {
    /** @param {string} table */
    title: (table) => `Table ${texts.quoted(table)}`,
    /** @param {string} opener */
    by: (opener) => `${opener} has invited you.`,
    /** @param {string[]} names */
    there: (names) => `There already: ${inARow(names)}.`,
    nobody: 'Nobody is there yet. You open the table.',
    join: 'Sit down',
    full: 'All seats of this table are taken.',
    watch: 'Watch it',
    elsewhere: 'Go to the start',
  },
  make: {
    title: 'Make a table',
    table: 'Name of the table',
    tableHint: 'Whoever has the link or the name can join.',
    rules: 'Rules',
    own: 'Rules of your own',
    endScore: 'The game ends at',
    clock: 'Time for each choice',
    seconds: 'seconds',
    hostsOwn: 'as the host has it',
    computers: 'Computers from the start',
    make: 'Make the table',
  },
  presets: {
    standard: 'Standard',
    mactech98: 'MacTech 1998',
    mac2000: 'Macintosh 2000',
    windows93: 'Windows 1993',
    'spot-hearts': 'Spot hearts',
  },
  rules: {
    jack: 'The jack of diamonds takes 10 points off',
    moon: 'Shooting the moon',
    exact: 'A score of exactly the end',
    dump: 'The queen of spades must go at the first chance',
    bleed: 'Points may be played on the first trick',
    rotate: 'The first lead goes around, with any card',
    pass: 'Passing',
    notrick: 'Who takes no trick gets 5 points off',
    queenKeeps: 'The queen of spades does not break hearts',
    spot: 'Hearts count 2 to 14, the queen of spades 25',
    /** @param {number} points those of a moon */
    choices: (points) => ({
      moon: [`${points} points to each of the others`, `${points} points off the shooter`, 'the shooter chooses'],
      exact: ['is nothing special', 'goes back to 0', 'wins'],
      pass: ['left, right, across, hold', 'left, right, across', 'always left', 'never'],
    }),
    /** @param {number} score */
    end: (score) => `The game ends at ${texts.points(score)}.`,
    /** @param {number} seconds */
    clock: (seconds) => (seconds === 0 ? 'There is no clock.' : `${seconds} seconds for each choice.`),
  },
  waiting: {
    title: 'Your table',
    /** @param {number} seats */
    seats: (seats) => (seats === 0 ? 'All are here.' : `Waiting for ${count(seats, 'player', 'players')}.`),
    seatsHere: 'Seats',
    free: 'free',
    invite: 'Send this link to your friends',
    copy: 'Copy the link',
    copied: 'Copied.',
    share: 'Share…',
    computers: 'Fill up with computers and begin',
    /** @param {string} opener */
    opener: (opener) => `${opener} may begin with computers.`,
    /** @param {number} seconds */
    soon: (seconds) => `Computers take the free seats in ${seconds} s.`,
    leave: 'Leave the table',
    sendAway: 'Send away',
    /** @param {string} name */
    sendAwayWho: (name) => `Send away ${name}; the link is another one then`,
    move: 'Sit here',
    /** @param {number} player */
    moveTo: (player) => `Sit here: seat ${player + 1}`,
    between: 'You have a seat. It is yours as soon as the hand that is being played is over.',
  },
  invite: {
    title: 'Waiting to be invited',
    wait: 'Who has a table sees you in his list. You can begin with computers at any time.',
    waiting: 'Waiting to be invited',
    nobody: 'Nobody waits to be invited at the moment.',
    invite: 'Invite',
    asked: 'asked…',
    /** @param {string} name */
    inviteWho: (name) => `Invite ${name}`,
    /** @param {string} inviter @param {string} table */
    ask: (inviter, table) => `${inviter} invites you to the table ${texts.quoted(table)}`,
    yes: 'Come along',
    no: 'No, thank you',
    agreed: 'The invitation is accepted.',
    /** @param {string} why */
    over: (why) => `Nothing came of the invitation: ${why}.`,
  },
  table: {
    menu: 'Menu',
    scores: 'Scores',
    chat: 'Chat',
    /** @param {number} unread */
    chatUnread: (unread) => `Chat, ${count(unread, 'new message', 'new messages')}`,
    lastTrick: 'Last trick',
    hint: 'Hint',
    rules: 'Rules',
    options: 'Options',
    replay: 'Replay hands',
    host: 'Table and seats',
    leave: 'Leave the table…',
    toStart: 'To the start',
    /** @param {number} hand @param {number} direction */
    hand: (hand, direction) => `Hand ${hand}, ${direction === 0 ? 'no pass' : `pass ${WHERE[direction]}`}`,
    felt: 'Table',
    trick: 'Trick',
    hearts: 'Hearts are broken',
    yourHand: 'Your cards',
    /** @param {string} name @param {number} total @param {number} points @param {number} cards */
    seat: (name, total, points, cards) =>
      `${name}: ${texts.points(total)} in the game, ${points} in this hand, ${count(cards, 'card', 'cards')}`,
    computer: 'computer',
    program: 'program',
    away: 'away',
    standIn: 'a computer plays for now',
    turn: 'to play',
    passing: 'is choosing',
    /** @param {string} who */
    passTo: (who) => `Pass 3 cards to ${who}`,
    /** @param {number} chosen */
    chosen: (chosen) => `${chosen} of 3`,
    passed: 'Passed. The others are still choosing.',
    /** @param {string} who @param {number[]} cards */
    received: (who, cards) => `${who} passed you the ${texts.cards(cards)}.`,
    yourTurn: 'Your turn',
    yourLead: 'You lead',
    /** @param {number} suit */
    follow: (suit) => `Your turn: follow with ${SUITS[suit]}`,
    anyCard: 'Your turn: any card',
    tapAgain: 'Tap it again to play it',
    /** @param {number} card */
    ahead: (card) => `The ${texts.card(card)} is played when it is your turn, if it may be`,
    /** @param {string} who */
    waitFor: (who) => (who === 'You' ? 'Your turn' : `${who} is to play`),
    dealing: 'The next hand is dealt…',
    goOn: 'Go on',
    /** @param {string} who */
    takes: (who) => `${who} ${who === 'You' ? 'take' : 'takes'} the trick`,
    illegal: 'may not be played now',
    passedNew: 'passed to you',
    lost: 'The connection is lost. You will be back by yourself…',
    tries: 'This page tries again by itself…',
    /** @param {number} seconds */
    clock: (seconds) => `${seconds} s left`,
    /** @param {number} seconds @param {number} bank */
    bank: (seconds, bank) => `${seconds} s, ${bank} s in the bank`,
    watching: 'You are watching.',
    claim: 'Claim the rest',
    /** @param {string} who */
    claimed: (who) => `All tricks that are left go to ${who === 'You' ? 'you' : who}`,
    finish: 'Play this hand to its end for me',
    cardsLeft: (/** @type {number} */ cards) => count(cards, 'card', 'cards'),
  },
  moon: {
    ask: 'You have shot the moon! What shall it be?',
    /** @param {number} points */
    mine: (points) => `${points} off your score`,
    /** @param {number} points */
    others: (points) => `${points} for each of the others`,
    /** @param {string} who */
    shot: (who) => `${who} ${who === 'You' ? 'have' : 'has'} shot the moon!`,
  },
  queen: {
    /** @param {string} who */
    fell: (who) => `${who} ${who === 'You' ? 'take' : 'takes'} the queen of spades`,
  },
  scores: {
    title: 'Scores',
    hand: 'Hand',
    total: 'Total',
    none: 'No hand has been played yet.',
    plot: 'How the scores went',
    /** @param {string} name @param {number[]} totals */
    line: (name, totals) => `${name}: ${totals.join(', ')}`,
    moon: 'moon',
    handOver: (/** @type {number} */ hand) => `Hand ${hand} is over`,
    games: 'Games won',
  },
  result: {
    /** @param {string[]} winners */
    won: (winners) => `${inARow(winners)} ${winners.length === 1 && winners[0] !== 'You' ? 'wins' : 'win'}!`,
    place: 'Place',
    again: 'Play again',
    noMore: 'No, thank you',
    /** @param {string} who */
    decides: (who) => `${who} decides about another game.`,
    follows: 'Another game begins.',
    over: 'The evening at this table is over.',
    replay: 'Look at the hands',
    toStart: 'To the start',
  },
  chat: {
    title: 'Chat',
    say: 'Say something',
    send: 'Send',
    nobody: 'Nothing has been said yet.',
    none: 'This server has no chat.',
    mute: 'Mute',
    unmute: 'Hear again',
    /** @param {string} who */
    muted: (who) => `You do not hear ${who}.`,
    players: 'Players',
    quick: 'Quick words',
    quickWords: ['Hello!', 'Well played!', 'Ouch.', 'Thank you!', 'Sorry!', 'Good game!'],
    tooLong: 'That is too long.',
    table: 'Table',
  },
  hint: {
    title: 'Hint',
    none: 'A hint can be had when it is your turn.',
    /** @param {number[]} cards */
    pass: (cards) => `Pass the ${texts.cards(cards)}:`,
    /** @param {number} card */
    play: (card) => `Play the ${texts.card(card)}:`,
    why: {
      only: 'it is the only card that you can play.',
      leadLow: 'it is your lowest card, so somebody else is likely to take the trick.',
      queenAway: 'you cannot follow suit, so somebody else gets her.',
      shedHigh: 'you cannot follow suit, and it is the most trouble to keep.',
      shedPoints: 'you cannot follow suit, so somebody else gets the point.',
      queenBelow: 'a higher spade lies, so somebody else gets her.',
      duck: 'it is your highest card that does not take the trick.',
      takeFree: 'the trick costs nothing, and you are rid of a high card.',
      mustTake: 'you take the trick anyway; this keeps your high cards for later.',
      mayTake: 'you cannot stay below, and somebody behind you may still take it.',
      passSpades: 'high spades bring you the queen, or are her herself.',
      passHigh: 'they are the most trouble to keep.',
    },
  },
  lastTrick: {
    title: 'Last trick',
    none: 'No trick has been taken in this hand yet.',
    /** @param {string} who @param {number} points */
    taken: (who, points) => `${who} took it, with ${texts.points(points)}.`,
  },
  host: {
    title: 'Table and seats',
    propose: 'Propose other rules for the next game',
    proposed: 'The others are asked; they have a minute.',
    send: 'Propose',
    seats: 'Seats',
    replace: 'Give the seat to a computer',
    open: 'Open the seat for a person',
    asked: 'Who is there is asked for the seat, and has a minute.',
    notYou: 'These are up to the first player at the table.',
    invite: 'Link to this table',
  },
  vote: {
    title: 'Other rules for the next game?',
    yes: 'Agree',
    no: 'Keep the rules',
    agreed: 'The next game has other rules.',
    /** @param {string} who empty: nobody in particular @param {string} why */
    stay: (who, why) => `The rules stay as they are${who === '' ? '' : ` (${who})`}: ${why}.`,
  },
  seat: {
    /** @param {string} who @param {boolean} opens */
    ask: (who, opens) => `${who} asks for your seat, for ${opens ? 'somebody else' : 'a computer'}.`,
    forGood: 'If you give it up you leave the table after this hand, and cannot come back.',
    yes: 'Give it up',
    no: 'Keep it',
    /** @param {string} who @param {string} why */
    stays: (who, why) => `The seat stays as it is (${who}): ${why}.`,
  },
  abort: {
    title: 'Break off',
    proposeHand: 'Break this hand off',
    proposeGame: 'Break this game off',
    proposed: 'The others are asked; they have a minute. The play goes on until all agree.',
    /** @param {boolean} isWholeGame @returns {string} */
    ask: (isWholeGame) =>
      isWholeGame ? 'Shall this game be broken off, and another one begin?' : 'Shall this hand be broken off, and dealt anew?',
    yes: 'Break it off',
    no: 'Play on',
    hand: 'All agree: this hand is broken off, and counts for nothing.',
    game: 'All agree: this game is broken off. Another one begins.',
    /** @param {string} who empty: nobody in particular @param {string} why */
    goesOn: (who, why) => `The play goes on${who === '' ? '' : ` (${who})`}: ${why}.`,
  },
  leave: {
    title: 'Leave the table?',
    body: 'A computer takes your seat, and you cannot come back to it. If you only want a pause, close the page: it comes back to your seat.',
    yes: 'Leave for good',
    no: 'Stay',
  },
  fair: {
    title: 'Were the cards dealt fairly?',
    mark: 'Deals: nothing to check yet',
    /** @param {number} deals */
    good: (deals) => `Deals: ${deals} checked, all as promised`,
    bad: 'Deals: something does not hold',
    how: 'Your number is fixed before the server can answer it. If it is in the proof, nobody chose this deal, not even together with the host. It does not keep a host from looking at cards. And this page is itself a program of the host, so it proves nothing against them: if you do not trust the host, take hearts-client.',
    deal: 'Deal',
    verdict: 'Result',
    /** Whose numbers are missing follows in `who`. @type {Record<import('../client/promises.js').Fairness, (who: string) => string>} */
    whoChose: {
      nobody: () => 'Nobody chose this deal.',
      withholders: (who) => `Nobody chose this deal, but for whether ${who} showed a number or not.`,
      redrawn: () => 'A deal before it was taken back, or never proved, so this one may have been chosen.',
      anybody: () => 'Your number was left out, so this deal may have been chosen.',
      notCut: () => 'You did not cut this deal.',
    },
    /** @param {string} name @param {number} missing @param {number} of */
    missing: (name, missing, of) => `${name}: ${missing} of ${of} numbers missing`,
    /** @param {number} deal */
    changed: (deal) => `The promise of deal ${deal} takes the place of another one. Your number is shown for one promise only.`,
    ok: 'as promised',
    seal: 'Seal',
    secret: 'Secret',
    code: 'Code of the deal',
    none: 'No hand has ended yet.',
    undisclosed: 'promised, and never shown. Once can be chance, if a hand was not played to its end.',
    problems: {
      'no promise': 'No seal came in time, so it cannot be checked.',
      twice: 'It was promised twice, and not the same!',
      secret: 'The secret does not fit the seal!',
      cards: 'The secret gives other cards than you had!',
      numbers: 'The numbers in it are not those that were promised!',
    },
    played: 'What was played agrees with the deal.',
    notPlayed: 'What was played does not agree with the deal!',
  },
  replay: {
    title: 'Hands with all cards open',
    none: 'A hand can be looked at when it is over.',
    /** @param {number} game @param {number} hand */
    hand: (game, hand) => `Game ${game}, hand ${hand}`,
    first: 'To the beginning',
    back: 'One card back',
    forth: 'One card on',
    last: 'To the end',
    /** @param {string} name @param {number[]} cards */
    passed: (name, cards) => `${name} passed the ${texts.cards(cards)}.`,
    /** @param {number} trick */
    trick: (trick) => `Trick ${trick}`,
    save: 'Save this game as a record',
  },
  statistics: {
    title: 'Your games in this browser',
    none: 'No game has been played to its end here yet.',
    games: 'Games',
    won: 'Won',
    hands: 'Hands',
    average: 'Points a hand',
    queens: 'Queens taken',
    moons: 'Moons shot',
    latest: 'The latest games',
    plot: 'Points a hand, game by game; 6.5 is an even share',
    eachGame: 'In each game',
    upToThen: 'On average up to then',
    forget: 'Forget all of them',
  },
  options: {
    title: 'Options',
    language: 'Language',
    browsers: 'that of the browser',
    trickStays: 'A full trick stays',
    stays: { short: 'for a moment', normal: 'for a while', long: 'for long', tap: 'until I tap the table' },
    taps: 'A card is played with',
    tapKinds: { auto: 'one click, or two taps', once: 'one tap', twice: 'two taps' },
    ahead: 'A card may be chosen before it is my turn',
    fourColours: 'Four colours of suits',
    scheme: 'Colours of the page',
    schemes: { auto: 'as the system has it', light: 'light', dark: 'dark' },
    back: 'Back of the cards',
    backs: { lattice: 'lattice', waves: 'waves', dusk: 'dusk' },
    announce: 'Screen readers are told',
    announces: { all: 'everything', short: 'my turn and results', off: 'nothing' },
    pause: 'Pause between two announcements, in seconds',
    keys: 'Single keys are commands',
    keyHelp: 'C chat, S scores, L last trick, H hint, O options; arrow keys move between cards, Enter plays',
    quick: 'Quick words, one in a line',
  },
  over: {
    title: 'The table is closed',
    /** @param {string} why */
    refused: (why) => `The server says: ${why}.`,
    lost: 'The server cannot be reached.',
    full: 'Too many players are here at the moment.',
    unreachable: 'The game server is not there at the moment.',
    taken: 'Your seat is played somewhere else.',
    plain: 'The session is over.',
    password: 'This server asks for a password.',
  },
  said: {
    /** @param {string} who @param {number} card */
    plays: (who, card) => `${who}: ${texts.card(card)}.`,
    yourTurn: 'It is your turn.',
    yourPass: (/** @type {string} */ who) => `Choose three cards for ${who}.`,
    /** @param {string} who @param {number} points */
    takes: (who, points) => `${who} ${who === 'You' ? 'take' : 'takes'} the trick${points === 0 ? '' : `, ${texts.points(points)}`}.`,
    broken: 'Hearts are broken.',
    /** @param {string[]} lines */
    scores: (lines) => `The hand is over. ${lines.join(', ')}.`,
    back: 'You are back.',
    /** @param {string} who @param {string} text */
    says: (who, text) => `${who} says: ${text}`,
  },
};
