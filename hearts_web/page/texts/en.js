// All texts of the page in English. Other languages have the same ones (Texts in texts.js).

/** @param {number} number @param {string} one @param {string} many */
const count = (number, one, many) => `${number} ${number === 1 || number === -1 ? one : many}`;

const RANKS = ['', 'ace', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'jack', 'queen', 'king'];
const LETTERS = ['', 'A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const SIGNS = '♥♣♦♠';
const total = (/** @type {number[]} */ points) => points.reduce((sum, each) => sum + each, 0);
const against = (/** @type {number} */ points) => (points === 0 ? ', as many as usual' : `, ${Math.abs(points)} ${points > 0 ? 'more' : 'less'} than usual`);
/** @param {number} place */
const ordinal = (place) => `${place}${Math.floor(place / 10) % 10 === 1 ? 'th' : ['th', 'st', 'nd', 'rd'][place % 10] ?? 'th'}`;
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;
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
  /** @param {number} card */
  shortCard: (card) => `${LETTERS[((card - 1) % 13) + 1]}${SIGNS[Math.floor((card - 1) / 13)]}`,
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
    needName: 'Please choose a shorter name.',
    /** @param {number} number */
    guest: (number) => `Guest ${number}`,
    kept: 'You have a seat at another table.',
    playNow: 'Play now',
    playNowHint: 'against three computers',
    friends: 'With friends',
    makeTable: 'Make a table',
    makeHint: 'and send a link',
    public: 'Play with others',
    publicHint: 'at the next public table',
    wait: 'Wait to be invited',
    waitHint: 'to somebody’s table',
    tables: 'Tables',
    noTables: 'No public table is open at the moment.',
    refresh: 'Refresh',
    join: 'Join',
    watch: 'Watch',
    forming: 'forming',
    playing: 'in play',
    /** @param {number} seats */
    free: (seats) => count(seats, 'free seat', 'free seats'),
    back: 'Back to your seat',
    goesOn: 'at a table that goes on',
    loading: 'One moment…',
    statistics: 'Your games',
    options: 'Options',
  },
  names: {
    title: 'A name of your own',
    own: 'own name',
    guest: 'guest',
    lead: 'You can make your name your own here.',
    /** @param {string} name */
    isYours: (name) => `${name} is your name here.`,
    /** @param {string} name */
    isGuest: (name) => `The others see ${name}: a guest.`,
    /** @param {string} name */
    other: (name) => `Your name here is ${name}.`,
    /** @param {string} name */
    claim: (name) => `Make ${name} my own`,
    /** @param {string} name */
    about: (name) => `Nobody else can be called ${name} here then. This browser keeps a key for it. There is no password and no mail address.`,
    unsafe: 'This page has no TLS, so your name is worth as much as the line: whoever is on it can have your seat.',
    /** @param {string} name */
    fromNowOn: (name) => `${name} is yours from now on.`,
    write: 'Write these twelve words down, in this order. With them you have your name back on any device. Without them it is lost when this browser forgets it. They are shown this once.',
    haveWritten: 'I have written them down',
    check: 'Type two of the words from your paper.',
    /** @param {number} number */
    word: (number) => `Word ${number}`,
    checkIt: 'Done',
    seeAgain: 'See them again',
    wrongCheck: 'These are not the words. Look at your paper again, or see them again.',
    kept: 'Keep the paper in a safe place: whoever has the words has the name.',
    writeDown: 'Write the twelve words down',
    restore: 'I have twelve words',
    trust: 'Type your words only at a host whom you trust: this page is theirs, and whoever has the words has your names.',
    theWords: 'The twelve words',
    takeBack: 'Take my name back',
    /** @param {number} place @param {string} word */
    unknown: (place, word) => `Word ${place}, ${texts.quoted(word)}, is not in the list.`,
    /** @param {number} count @param {number} needed */
    count: (count, needed) => `These are ${count} words, and ${needed} are needed.`,
    mixed: 'Each word is in the list, but together they are no secret: one is another word, or two have changed places.',
    invitation: 'Code of an invitation, if the host has given you one',
    manage: 'Your name here',
    export: 'What is stored about it',
    save: 'Save as a file',
    giveUp: 'Give the name up',
    /** @param {string} name */
    aboutGivingUp: (name) => `${name} is free for others then, and its results are gone. A number takes its place in stored games. Nobody can undo that.`,
    isSure: 'Give it up for good',
    devices: {
      title: 'Devices',
      /** @param {string} name */
      askIn: (name) => `I am ${name} on another device`,
      /** @param {string} name */
      typeThere: (name) => `Type this code at a device on which ${name} is yours, at “Devices”. It is good for ten minutes.`,
      isTyped: 'I have typed it there',
      notYet: 'It is not let in yet.',
      letIn: 'Let another device in',
      code: 'The code that it shows',
      look: 'Look what asks',
      /** @param {boolean} isProgram @param {number} seconds @param {boolean} isNear */
      waits: (isProgram, seconds, isNear) => `A ${isProgram ? 'program' : 'person'} asked ${seconds} seconds ago, from ${isNear ? 'your own' : 'another'} network, to have your name too.`,
      isYours: 'Go on only if the device is in front of you and shows this code: it will have your name and your seats. Nobody has a reason to send you a code.',
      yes: 'Let it in',
      done: 'Your name is the name of that device too.',
      /** @param {boolean} isThis @param {boolean} isProgram @param {string} since @param {string} used */
      line: (isThis, isProgram, since, used) => `${isThis ? 'This device' : isProgram ? 'A program' : 'A device'}, since ${since}, used in the week from ${used}`,
      revoke: 'Revoke its key',
      /** @param {string} line */
      revokes: (line) => `${line}: it will be a guest here, until a device that has the name lets it in again.`,
    },
    playAsGuest: 'Play as a guest',
    takeKey: 'The host has told me of it: take the new key',
    doubts: {
      changed: 'This server has another key than before: it is another server, or somebody is between it and you. Your name was not proved. Ask the host.',
      silent: 'This server does not ask for the key of your name. Its host has turned names off, or it is another server. You would be a guest.',
      unsigned: 'This server does not have the key that it shows. Your name was not proved.',
      free: 'Your name is nobody’s at this server any more.',
      taken: 'The name is somebody else’s at this server.',
      untold: 'The server does not say whose the name is.',
    },
  },
  password: {
    label: 'Password of this server',
    enter: 'OK',
    asked: 'This server asks for a password.',
    wrong: 'That is not the password.',
    right: 'The password is right.',
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
    notTold: 'This link is out of date: its table has a new one. Ask your friends for it.',
    full: 'All seats of this table are taken.',
    watch: 'Watch',
    elsewhere: 'Go to the start page',
  },
  make: {
    title: 'Make a table',
    table: 'Name of the table',
    tableHint: 'Everybody who has the link or the name can join.',
    rules: 'Rules',
    own: 'Rules of your own',
    endScore: 'The game ends at',
    clock: 'Time for each choice',
    seconds: 'seconds',
    hosts: 'the server’s own',
    hostsOwn: 'the server’s own; none alone',
    computers: 'Computers from the start',
    make: 'Make the table',
  },
  levels: {
    title: 'The computers play',
    host: 'As the host has it',
    /** @type {Record<string, string>} */
    names: { novice: 'As beginners', simple: 'Simply', strong: 'Well', expert: 'As experts', swift: 'Best' },
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
    exact: 'A score of exactly the final number',
    dump: 'The queen of spades must be discarded at the first chance',
    bleed: 'Points may be played on the first trick',
    rotate: 'The first lead goes around, with any card',
    pass: 'Passing',
    notrick: 'A player who takes no trick gets 5 points off',
    queenKeeps: 'The queen of spades does not break hearts',
    spot: 'Hearts count 2 to 14, the queen of spades 25',
    /** @param {number} points those of a moon */
    choices: (points) => ({
      moon: [`${points} points to each of the others`, `${points} points off the shooter`, 'the shooter chooses'],
      exact: ['is nothing special', 'goes back to 0', 'wins'],
      pass: ['left, right, across, hold', 'left, right, across', 'always left', 'never'],
    }),
    fourHands: 'The deal of the day ends after four hands.',
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
    sendAwayWho: (name) => `Send away: ${name}; the table gets a new link`,
    move: 'Sit here',
    /** @param {number} player */
    levelAt: (player) => `A computer at seat ${player + 1} plays`,
    /** @param {number} player */
    moveTo: (player) => `Sit here: seat ${player + 1}`,
    begins: 'All are here. The game begins.',
    between: 'You have a seat. You play from the next hand on.',
  },
  invite: {
    title: 'Waiting to be invited',
    wait: 'Players at a table can see you in a list and invite you. You can start with computers at any time.',
    waiting: 'Waiting to be invited',
    nobody: 'Nobody is waiting to be invited at the moment.',
    invite: 'Invite',
    asked: 'asked…',
    /** @param {string} name */
    inviteWho: (name) => `Invite ${name}`,
    /** @param {string} inviter @param {string} table */
    ask: (inviter, table) => `${inviter} invites you to the table ${texts.quoted(table)}`,
    yes: 'Join them',
    no: 'No, thank you',
    agreed: 'The invitation is accepted.',
    /** @param {string} why */
    over: (why) => `The invitation has ended: ${why}.`,
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
    toStart: 'To the start page',
    /** @param {number} hand */
    hand: (hand) => `Hand ${hand}`,
    /** @param {number} direction */
    direction: (direction) => (direction === 0 ? 'no pass' : `pass ${WHERE[direction]}`),
    own: 'Your cards and what is asked',
    side: 'Scores and chat',
    openSeat: 'open',
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
    standIn: 'a computer is playing',
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
    ahead: (card) => `The ${texts.card(card)} will be played on your turn, if the rules allow it`,
    /** @param {string} who */
    waitFor: (who) => (who === 'You' ? 'Your turn' : `${who} is to play`),
    dealing: 'The next hand is dealt…',
    goOn: 'Go on',
    /** @param {string} who */
    takes: (who) => `${who} ${who === 'You' ? 'take' : 'takes'} the trick`,
    illegal: 'may not be played now',
    passedNew: 'passed to you',
    lost: 'The connection is lost. Reconnecting…',
    tries: 'This page keeps trying…',
    /** @param {number} seconds */
    clock: (seconds) => `${seconds} s left`,
    /** @param {number} seconds @param {number} bank */
    bank: (seconds, bank) => `${seconds} s, ${bank} s in the bank`,
    watching: 'You are watching.',
    claim: 'Claim the rest',
    /** @param {string} who */
    claimed: (who) => `All tricks that are left go to ${who === 'You' ? 'you' : who}`,
    finish: 'Play the rest of this hand for me',
    undo: 'Take back your last choice',
    redo: 'Do it again',
    undone: 'You have taken a choice back. This game is not counted.',
    cardsLeft: (/** @type {number} */ cards) => count(cards, 'card', 'cards'),
  },
  playedFor: {
    title: 'A computer plays for you.',
    /** @param {number[]} cards @param {(card: number) => string} called */
    timeUp: (cards, called) => `Time is up: ${cards.length > 1 ? 'passed' : 'played'} ${cards.map(called).join(' ')}`,
    /** @param {string} choice */
    moonTimeUp: (choice) => `Time is up. Your moon: ${choice}`,
    back: 'I am back',
  },
  moon: {
    ask: 'You have shot the moon! What do you choose?',
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
    plot: 'The scores, hand by hand',
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
    decides: (who) => `${who} decides if there is another game.`,
    follows: 'Another game is about to begin.',
    over: 'This table has closed.',
    replay: 'Look at the hands',
    seeAgain: 'See the hand again',
    toStart: 'To the start page',
  },
  chat: {
    title: 'Chat',
    say: 'Say something',
    send: 'Send',
    nobody: 'No messages yet.',
    none: 'This server has no chat.',
    mute: 'Mute',
    unmute: 'Unmute',
    /** @param {string} who */
    muted: (who) => `You have muted ${who}.`,
    report: 'Report',
    /** @param {string} who */
    reportWho: (who) => `Report ${who} to the host`,
    surelyReport: 'Report to the host, with the last lines of this chat',
    players: 'Players',
    quick: 'Quick messages',
    quickWords: ['Hello!', 'Well played!', 'Ouch.', 'Thank you!', 'Sorry!', 'Good game!'],
    tooLong: 'That is too long.',
    table: 'Table',
  },
  whyNot: {
    /** @param {number} suit */
    follow: (suit) => `${SUITS[suit][0].toUpperCase()}${SUITS[suit].slice(1)} were led, and you have some`,
    queen: 'The queen of spades has to go now',
    points: 'No points may be played to the first trick',
    two: 'The two of clubs leads the first trick',
    hearts: 'Hearts are not broken yet, so none may be led',
  },
  lesson: {
    title: 'Your first hand',
    hint: 'Hearts explained while you play',
    leave: 'Leave the lesson',
    failed: 'The lesson cannot be fetched at the moment.',
    /** @param {number[]} cards */
    doubt: (cards) => `The ${texts.cards(cards)} would probably cost you more.`,
    anyway: 'Do it anyway',
    another: 'Choose again',
  },
  teaching: {
    title: 'How Hearts is played',
    aim: 'Four players play thirteen tricks a hand, each for themselves. Points are bad: when somebody reaches the end of the game, the player with the fewest points wins.',
    trickTitle: 'A trick',
    trick: 'One player leads a card, and the others each play one, clockwise. You must play the suit that was led if you have it; else you may play any card. The highest card of the suit that was led takes the trick, and its player leads the next one. Aces are high, and there are no trumps.',
    trickPicture: 'A trick: the seven of clubs leads, then come the ten of clubs, the three of clubs and the king of diamonds.',
    places: ['leads', 'takes it', '', 'no clubs'],
    trickExample: 'Here the ten takes the trick. The king of diamonds is higher, but it is not a club.',
    pointsTitle: 'Hearts and the queen of spades',
    points: 'Whoever takes a trick gets the points in it: 1 for each heart, and 13 for the queen of spades.',
    pointsPicture: 'The queen of spades counts 13, each heart counts 1.',
    early: 'The two of clubs leads the first trick, in which no points may be played. Hearts may not be led until a heart has been played to another suit: then hearts are broken. If you have no card of the suit that was led, that is your chance to give somebody a heart, or the queen.',
    passTitle: 'The pass',
    pass: 'Before a hand each player passes three cards: to the left in the first hand, to the right in the second, across in the third, and none in the fourth. You choose yours before you see what you get. High cards are worth passing, above all the ace and king of spades if few lower spades protect them.',
    passPicture: 'A hand of eight cards, of which the king of spades, the ace of spades and the king of hearts are raised to be passed.',
    moonTitle: 'The moon',
    moon: 'A player who takes all the hearts and the queen of spades shoots the moon: instead of 26 points for them, each of the others gets 26. If somebody has taken every point so far, take a heart yourself.',
    moonPicture: 'The queen of spades and all thirteen hearts.',
    endTitle: 'The end',
    end: 'Hands follow each other until a score reaches the end of the game, mostly 100. The hint on the table tells you a card and why, whenever it is your turn.',
    here: 'The rules of this table',
  },
  hint: {
    title: 'Hint',
    none: 'You can ask for a hint on your turn.',
    wait: 'One moment…',
    /** @param {number[]} cards */
    pass: (cards) => `Pass the ${texts.cards(cards)}:`,
    /** @param {number} card */
    play: (card) => `Play the ${texts.card(card)}:`,
    why: {
      only: 'it is the only card that you can play.',
      leadLow: 'it is your lowest card, so somebody else is likely to take the trick.',
      queenAway: 'you cannot follow suit, so somebody else gets her.',
      shedHigh: 'you cannot follow suit, and it is your most dangerous card.',
      shedPoints: 'you cannot follow suit, so somebody else gets the point.',
      queenBelow: 'a higher spade is on the table, so somebody else gets her.',
      duck: 'it is your highest card that does not take the trick.',
      takeFree: 'the trick costs nothing, and you are rid of a high card.',
      mustTake: 'you take the trick anyway; this keeps your high cards for later.',
      mayTake: 'you cannot stay below, and somebody behind you may still take it.',
      passSpades: 'the ace and king of spades can catch the queen, and the queen costs the most.',
      passHigh: 'they are your most dangerous cards.',
      learned: 'that costs you the least, now and later.',
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
    proposed: 'The others have a minute to answer.',
    send: 'Propose',
    seats: 'Seats',
    replace: 'Give the seat to a computer',
    open: 'Open the seat for a person',
    isOpen: 'open: who comes by the link plays from the next hand on',
    asked: 'The player in that seat has a minute to answer.',
    notYou: 'Only the player who opened the table can change these.',
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
    title: 'Stop early',
    proposeHand: 'Abandon this hand',
    proposeGame: 'Abandon this game',
    proposed: 'The others have a minute to answer. Play goes on unless all agree.',
    /** @param {boolean} isWholeGame @returns {string} */
    ask: (isWholeGame) =>
      isWholeGame ? 'Abandon this game and begin another one?' : 'Abandon this hand and deal again?',
    yes: 'Abandon it',
    no: 'Play on',
    hand: 'All agree: this hand is abandoned and does not count.',
    game: 'All agree: this game is abandoned. Another one begins.',
    /** @param {string} who empty: nobody in particular @param {string} why */
    goesOn: (who, why) => `Play goes on${who === '' ? '' : ` (${who})`}: ${why}.`,
  },
  leave: {
    title: 'Leave the table?',
    body: 'A computer takes your seat, and you cannot come back to it. If you only want a break, close the page: when you open it again you have your seat.',
    forming: 'Your seat is free for somebody else then.',
    yes: 'Leave for good',
    no: 'Stay',
  },
  fair: {
    title: 'Were the cards dealt fairly?',
    mark: 'Deals: nothing to check yet',
    /** @param {number} deals */
    good: (deals) => `Deals: ${deals} checked, all as promised`,
    bad: 'Deals: something is wrong',
    how: 'You choose a number before the server can react to it. If your number is in the proof, nobody chose this deal, not even together with the host. The proof does not stop a host from looking at the cards. And this page itself comes from the host, so it proves nothing against them: if you do not trust the host, use hearts-client.',
    deal: 'Deal',
    verdict: 'Result',
    /** Whose numbers are missing follows in `who`. @type {Record<import('../client/promises.js').Fairness, (who: string) => string>} */
    whoChose: {
      nobody: () => 'Nobody chose this deal.',
      withholders: (who) => `Nobody chose this deal. Only ${who} could change it, by not showing a number.`,
      redrawn: () => 'An earlier deal was taken back, or never proved, so this one may have been chosen.',
      anybody: () => 'Your number was left out, so this deal may have been chosen.',
      notCut: () => 'You added no number to this deal.',
    },
    /** @param {string} name @param {number} missing @param {number} of */
    missing: (name, missing, of) => `${name}: ${missing} of ${of} numbers missing`,
    /** @param {number} deal */
    changed: (deal) => `The server has changed its promise for deal ${deal}. Your number is shown for one promise only.`,
    ok: 'as promised',
    seal: 'Seal',
    secret: 'Secret',
    code: 'Code of the deal',
    none: 'No hand has ended yet.',
    undisclosed: 'promised, but never shown. This can happen once by chance, if a hand was not finished.',
    problems: {
      'no promise': 'No seal came in time, so this deal cannot be checked.',
      twice: 'It was promised twice, and the promises differ!',
      secret: 'The secret does not fit the seal!',
      cards: 'The secret gives other cards than you had!',
      numbers: 'The numbers in it are not those that were promised!',
    },
    played: 'What was played agrees with the deal.',
    notPlayed: 'What was played does not agree with the deal!',
  },
  par: {
    /** @param {number} mean @param {number} spread */
    about: (mean, spread) => `${mean} ± ${spread}`,
    /** @param {number} taken @param {string} about */
    hand: (taken, about) => `You took ${taken}; this hand usually costs ${about}.`,
    /** @param {string} about */
    usually: (about) => `usually ${about}`,
    /** @param {{hands: number, mean: number, error: number}} against */
    soFar: ({ hands, mean, error }) =>
      `In ${hands} hands: ${Math.abs(mean).toFixed(1)} ± ${error.toFixed(1)} a hand ${mean > 0 ? 'more' : 'less'} than usual.`,
  },
  replay: {
    title: 'Hands with all cards open',
    none: 'You can look at a hand when it is over.',
    /** @param {number} game @param {number} hand */
    hand: (game, hand) => `Game ${game}, hand ${hand}`,
    first: 'To the beginning',
    back: 'One card back',
    forth: 'One card forward',
    last: 'To the end',
    /** @param {string} name @param {number[]} cards */
    passed: (name, cards) => `${name} passed ${cards.map(texts.shortCard).join(' ')}.`,
    /** @param {number} trick */
    trick: (trick) => `Trick ${trick}`,
    /** @param {number[]} cards */
    hintPass: (cards) => `The hint would have passed ${cards.map(texts.shortCard).join(' ')}.`,
    /** @param {string} who @param {number} card */
    next: (who, card) => `${who} ${who === 'You' ? 'play' : 'plays'} the ${texts.card(card)} next.`,
    forced: 'No other card could be played',
    same: 'The hint says the same',
    /** @param {number} card */
    other: (card) => `The hint would have played the ${texts.card(card)}`,
    /** @param {number} card @param {{mean: number, error: number}} cost */
    cost: (card, { mean, error }) => {
      const points = `${Math.abs(mean).toFixed(1)} ± ${error.toFixed(1)}`;
      if (Math.abs(mean) <= 2 * error) return `As all cards lay, which nobody knew, neither is surely better (16 games each: ${points}).`;
      return `As all cards lay, which nobody knew, the ${texts.card(card)} ${mean > 0 ? 'cost' : 'saved'} ${points} points (16 games each).`;
    },
    save: 'Save this game as a file',
  },
  day: {
    title: 'The deal of the day',
    /** @param {string} day as 2026-11-27 */
    date: (day) => new Date(day).toLocaleDateString('en', { dateStyle: 'full', timeZone: 'UTC' }),
    none: 'This server has no deal of the day.',
    open: 'Four hands, the same for everybody here, against three computers, without a clock. You have one try; the first card that you see begins it. There are no hints, and nothing is taken back.',
    visitor: 'A server knows you by what this browser keeps. In another browser you are another visitor. The day changes at midnight UTC.',
    play: 'Play these hands',
    playing: 'Your try is under way. It goes on where you began it: in another tab, or when you open this page there again.',
    /** @param {string} since as 2026-11-27 */
    fixed: (since) => (since === '' ? 'The host could know the deals.' : `Fixed and published on ${texts.day.date(since)}; the host could know it.`),
    broken: 'The days of this server do not follow from what it told before!',
    notOfValue: 'These hands do not follow from the value of their day!',
    points: 'You took',
    usually: 'Usually',
    total: 'Total',
    /** @param {number} hand */
    hand: (hand) => `Hand ${hand}`,
    left: 'You have left your try, so it does not count.',
    /**
     * Three lines to share, the same as in a terminal.
     * @param {import('../client/days.js').DayResult} result @param {number | null} usual @param {boolean} isOver whether nobody can play the day any more
     */
    lines: ({ day, place, count, points }, usual, isOver) => [
      `Hearts, the deal of the day ${day}`,
      `${points.join(' + ')} = ${total(points)} points${usual === null ? '' : against(Math.floor(total(points) - usual + 0.5))}`,
      place === 0 ? 'At the host\'s own machine, so without a place' : `${ordinal(place)} of ${count}${isOver ? '' : ' so far'}`,
    ],
    /** @param {string} day */
    listed: (day) => `Names that want to be listed: ${texts.day.date(day)}`,
    share: 'Copy to share',
    copied: 'Copied. No card is told in it.',
    byHand: 'Three lines to share',
    /** @param {Date} when */
    linksAt: (when) => `The links to these hands come when the day is over everywhere: ${when.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`,
    leave: 'Your try ends with that, and does not count. If you only want a break, close the page: when you open it again you go on where you were.',
  },
  link: {
    title: 'A hand of a link',
    wrong: 'This link leads to no hand: a part of it is missing or wrong, or the rules do not allow what was played.',
    shows: 'A link shows that the cards follow from the numbers in it, not that anybody was dealt or played them.',
    copy: 'Copy link',
    copied: 'Copied. The hand with all its cards is in the link.',
    byHand: 'The link to this hand',
    names: 'with names',
    seat: 'Seat',
    take: 'Play on from here',
    takeBefore: 'Play on from the pass',
    leave: 'It is played in this browser alone, and nothing of it is kept.',
    /** @param {number} player */
    player: (player) => `Player ${player + 1}`,
  },
  standings: {
    title: 'Standings',
    ever: 'Of all time',
    /** @param {string} month */
    month: (month) => `Of this month (${month}, UTC)`,
    none: 'This server has no standings.',
    nobody: 'Nobody yet.',
    program: 'program',
    heads: ['Name', 'Games', 'Place', 'Won %', 'Points a hand', 'Against par'],
    /** @param {number} games */
    about: (games) => `Names with ${games} games with others or more, whose owners want to be listed. ± is the standard error: a difference of less than twice that may be chance. Below 0 against par is better.`,
  },
  mistakes: {
    title: 'Your own mistakes',
    /** @param {number} due */
    today: (due) => `${due} to look at today`,
    none: 'Nothing yet. Each card that costs you a point or more for sure, by what you could see, comes here as a question.',
    done: 'That is all for today.',
    /** @param {number} hands */
    looking: (hands) => `${count(hands, 'hand is', 'hands are')} being looked through, up to a minute each.`,
    /** @param {number} hand @param {number} at */
    hand: (hand, at) => `Hand ${hand} of a game of ${new Date(at).toLocaleDateString('en', { dateStyle: 'medium' })}`,
    /** @param {number[]} passed @param {string} to @param {number[]} received */
    passed: (passed, to, received) => `You passed ${passed.map(texts.shortCard).join(' ')} to ${to} and received ${received.map(texts.shortCard).join(' ')}.`,
    /** @param {number} tricks */
    before: (tricks) => `${count(tricks, 'trick', 'tricks')} before`,
    lead: 'You lead. What do you play?',
    follow: 'What do you play?',
    right: 'Right.',
    wrong: 'Not the best.',
    again: 'That is what you played in the game.',
    /** @param {number} card */
    inGame: (card) => `In the game you played the ${texts.card(card)}.`,
    /** @param {{card: number, loss: number, error: number}} own @param {number} better */
    cost: ({ card, loss, error }, better) => `The ${texts.card(card)} costs ${loss.toFixed(1)} ± ${error.toFixed(1)} points more than the ${texts.card(better)}.`,
    later: 'It costs more later.',
    queen: 'you take the queen of spades',
    moon: 'you shoot the moon',
    /** @param {string} who who has all points so far; empty: nobody */
    otherMoon: (who) => (who === '' ? 'somebody else shoots the moon' : `${who}, who has all points so far, or another shoots the moon`),
    /** @param {number} card @param {string} what @param {number} one @param {number} better @param {number} other */
    chance: (card, what, one, better, other) => `With the ${texts.card(card)} ${what} in ${percent(one)} of the deals that fit, with the ${texts.card(better)} in ${percent(other)}.`,
    /** @param {{card: number, trick: number}} own @param {{card: number, trick: number}} better */
    trick: (own, better) => `The ${texts.card(own.card)} takes this trick in ${percent(own.trick)}, the ${texts.card(better.card)} in ${percent(better.trick)}.`,
    /** @param {number} suit @param {number} out @param {number} above */
    out: (suit, out, above) => (out === 0 ? `No ${SUITS[suit]} were out.` : `${out} ${SUITS[suit]} were out, ${above} of them higher.`),
    /** @param {string} who @param {number} suit */
    hasNone: (who, suit) => `${who} has no ${SUITS[suit]}.`,
    /** @param {number} days */
    comes: (days) => `It comes again in ${count(days, 'day', 'days')}.`,
  },
  statistics: {
    title: 'Your games in this browser',
    none: 'You have not finished a game here yet.',
    games: 'Games',
    won: 'Won',
    hands: 'Hands',
    average: 'Points a hand',
    queens: 'Queens taken',
    moons: 'Moons shot',
    latest: 'The latest games',
    plot: 'Points a hand, game by game; 6.5 is an even share',
    eachGame: 'In each game',
    upToThen: 'Average so far',
    forget: 'Delete all of them',
    /** @param {number} hands @param {number} all */
    parOf: (hands, all) => (hands < all ? `(Of ${all} hands; the others have no par.)` : ''),
  },
  options: {
    title: 'Options',
    language: 'Language',
    browsers: 'the browser’s language',
    trickStays: 'A full trick stays',
    stays: { short: 'for a moment', normal: 'for a while', long: 'for a long time', tap: 'until I tap the table' },
    taps: 'A card is played with',
    tapKinds: { auto: 'one click, or two taps', once: 'one tap', twice: 'two taps' },
    par: 'After a hand, say what it usually costs',
    ahead: 'A card may be chosen before it is my turn',
    fourColours: 'A colour for each suit',
    scheme: 'Page colours',
    schemes: { auto: 'the system’s choice', light: 'light', dark: 'dark' },
    back: 'Back of the cards',
    backs: { lattice: 'lattice', waves: 'waves', dusk: 'dusk' },
    sounds: 'Sounds',
    vibrate: 'Vibrate when it is my turn',
    notify: 'Notify me of my turn while I look at another page',
    announce: 'Screen readers are told',
    announces: { all: 'everything', short: 'my turn and results', off: 'nothing' },
    pause: 'Pause between announcements, in seconds',
    keys: 'Keyboard shortcuts',
    keyHelp: 'C chat, S scores, L last trick, H hint, U take back, Shift+U do it again, R how Hearts is played, O options; arrow keys move between cards, Enter plays',
    quick: 'Quick messages, one per line',
  },
  over: {
    title: 'The table is closed',
    /** @param {string} why */
    refused: (why) => `The server says: ${why}.`,
    lost: 'The server cannot be reached.',
    full: 'This server is full at the moment.',
    unreachable: 'The game server is not running at the moment.',
    taken: 'You are playing this seat somewhere else.',
    plain: 'The session is over.',
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
    gameOver: 'The game is over.',
    /** @param {string} who */
    comes: (who) => `${who} is here.`,
    /** @param {string} who @param {string} text */
    says: (who, text) => `${who} says: ${text}`,
  },
};
