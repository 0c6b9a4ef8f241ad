#!/usr/bin/env lua5.4
-- A Hearts client in the dealer dialect, written from SocketSpec.md and DealerSpec.md alone.
--
-- It plays a session, cuts each deal and checks it, and comes back when its connection is lost.
-- It needs Lua 5.4 and LuaSocket. Numbers in comments are sections of the two files.
--
--     lua5.4 hearts.lua --host 127.0.0.1 --port 7626 --name Lua --table friends --computers 3

package.path = (arg[0]:match("^.*/") or "./") .. "?.lua;" .. package.path

local socket = require("socket")
local deals = require("deals")

local PATIENCE = 600 -- seconds in which to come back
local LATER = { [-1] = true, [-2] = true, [-4] = true, [-106] = true } -- refusals after which one tries again

-- Faults are tables, so that they can be told from errors of this program. The kinds: "lost", the connection is
-- gone; "refused"; "stop", it makes no sense to go on.
local function fail(kind, text, code)
  error({ kind = kind, text = text, code = code })
end

local function shown(text)
  return (text:gsub("%c", "?"):gsub("\xC2[\x80-\x9F]", "?"))
end

local function random_bytes(count)
  local file <close> = assert(io.open("/dev/urandom", "rb"))
  return file:read(count)
end

---------------------------------------------------------------------------------------------------- the wire

local Wire = {}
Wire.__index = Wire

function Wire.connect(host, port)
  local tcp = socket.tcp()
  tcp:settimeout(10)
  local ok, problem = tcp:connect(host, port)
  if not ok then
    tcp:close()
    fail("lost", problem)
  end
  tcp:settimeout(nil) -- a wait can be long (13.1)
  tcp:setoption("tcp-nodelay", true)
  tcp:setoption("keepalive", true)
  return setmetatable({ tcp = tcp, frames = 0 }, Wire)
end

function Wire:send(format, ...)
  local ok, problem = self.tcp:send(string.pack(">" .. format, ...))
  if not ok then fail("lost", problem) end
end

function Wire:bytes(count)
  if count == 0 then return "" end
  local bytes, problem = self.tcp:receive(count)
  if not bytes then fail("lost", problem) end
  return bytes
end

function Wire:int()
  return (string.unpack(">i4", self:bytes(4)))
end

function Wire:str()
  local length = self:int()
  if length < 1 or length > 1024 then fail("stop", "a text of " .. length .. " bytes") end
  return shown(self:bytes(length):sub(1, -2))
end

function Wire:answer(type, sequence, payload)
  self:send("i4i4s4", type, sequence, payload)
end

-- The type, the sequence and the payload of the next frame; a refusal can stand in place of the first (14.2).
function Wire:frame()
  local type = self:int()
  if type < 0 and self.frames == 0 then self:refuse(type) end
  local sequence, length = self:int(), self:int()
  if length < 0 or length > 4096 then fail("stop", "a frame of " .. length .. " bytes") end
  self.frames = self.frames + 1
  return type, sequence, self:bytes(length)
end

-- What is due in the registration, or a refusal in its place (3.7).
function Wire:reply()
  local number = self:int()
  if number < 0 then self:refuse(number) end
  return number
end

function Wire:refuse(code)
  local heard, reason = pcall(self.str, self)
  fail("refused", heard and self.reasons and reason or "no reason is given", code)
end

-- Reads the fields of a payload, one after the other. What is behind them is ignored (14.1).
local function fields(payload)
  local at = 1
  return function(format)
    local values = table.pack(pcall(string.unpack, ">" .. format, payload, at))
    if not values[1] then fail("stop", "a payload is too short") end
    at = values[values.n]
    return table.unpack(values, 2, values.n - 1)
  end
end

---------------------------------------------------------------------------------------------------- the cards

local QUEEN, HEARTS, SPADES = 51, 0, 3 -- suits by card number (1.5)

local function suit(card) return (card - 1) // 13 end
local function rank(card) return (card - 1) % 13 == 0 and 14 or (card - 1) % 13 + 1 end

-- How much one would like to be rid of a card.
local function danger(card)
  if card == QUEEN then return 100 end
  local high_spade = suit(card) == SPADES and rank(card) > 12
  return rank(card) + (high_spade and 20 or 0) + (suit(card) == HEARTS and 1 or 0)
end

-- Sorts cards by how willingly one plays them.
local function best_first(cards, wish)
  table.sort(cards, function(a, b)
    if wish(a) ~= wish(b) then return wish(a) > wish(b) end
    return a < b
  end)
  return cards
end

-- How willingly one plays a legal card: lead low; stay below the winning card with as high a card as can be, else win
-- as low as can be; throw away what is dangerous. `trick` has the cards that lie.
local function wish_to_play(trick)
  local led = trick.cards[trick.leader]
  local top = 0
  for _, card in pairs(trick.cards) do
    if suit(card) == suit(led) then top = math.max(top, rank(card)) end
  end
  return function(card)
    if led == nil then return -danger(card) end
    if suit(card) ~= suit(led) then return danger(card) end
    return rank(card) < top and 1000 + danger(card) or -danger(card)
  end
end

------------------------------------------------------------------------------------------------- the session

local Session = {}
Session.__index = Session

function Session.new(options)
  return setmetatable({
    options = options,
    cut_key = random_bytes(32),
    hands = 0, -- P_DONE_HANDs that we have had, -1: not known (14.7)
    games = 0,
    names = {},
    promises = {}, -- by number of the deal: those that are not disclosed yet
    next_value = 0, -- its hash is for the next promise; `held` is the promise that has the hash of the one before
    missing = { [0] = 0, 0, 0, 0 }, -- by player: promised values that were not shown, up to the deal `counted`
    promised_values = { [0] = 0, 0, 0, 0 },
    counted = 0,
    count = { frames = 0, connections = 0, checked = 0, faults = 0, errors = 0 },
  }, Session)
end

function Session:say(format, ...)
  print(format:format(...))
end

function Session:complain(format, ...)
  self.count.faults = self.count.faults + 1
  self:say("FAULT: " .. format, ...)
end

function Session:register()
  local wire, options = self.wire, self.options
  local player = wire:reply()
  if player > 3 then fail("stop", player .. " is no Player ID; does this port want TLS?") end
  wire:send("s4", options.name .. "\0")
  wire:send("i4i4", -10, 0)
  wire:reply()
  wire.reasons = true
  if not self.game and options.password then
    wire:send("i4s4", -7, options.password .. "\0")
    wire:reply()
  end
  wire:send("i4i4", -6, 1)
  if wire:reply() ~= 1 then fail("stop", "this server speaks another version") end
  if self.game then
    wire:send("i4i4i4i4i4i4", -5, self.game, self.game_id, self.me, self.process_id, self.hands)
    wire:reply()
  else
    self.process_id = string.unpack(">I4", random_bytes(4)) & 0x7fffffff
    if options.table then
      wire:send("i4s4", -4, options.table .. "\0")
      wire:reply()
    end
    local computers = (1 << options.computers) - 1 << 4 - options.computers -- the last seats
    wire:send("i4i4i4i4", -2, 1 << 4 | computers, options["end-score"], 0)
  end
  -- Who we are goes in one write with the Process ID, so that the first deal can be cut (14.8).
  wire:send("i4i4i4s4", self.process_id, 126, 1, self:who_we_are())
end

-- P_REGISTER_PLAYER, with the hash of the next value.
function Session:who_we_are()
  return string.pack(">i4i4i4s4", 3, 500, 1, "an example in Lua\0") .. self:hash_to_say()
end

function Session:hash_to_say()
  self.said_value = self.next_value
  return deals.sha256(deals.value(self.cut_key, self.next_value))
end

-- Says the hash of the next value, if a promise has used up the one that was said.
function Session:say_next_hash()
  if self.said_value ~= self.next_value and not self.past then
    self.wire:answer(126, 0, self:who_we_are())
  end
end

-- Our value for a deal, if its promise is the one that it is for, and the only one (14.8, point 5).
function Session:value_for(deal)
  if self.held and not self.held.spoiled and self.promises[deal] and self.promises[deal].raw == self.held.raw then
    return deals.value(self.cut_key, self.next_value - 1)
  end
end

-- An answer to a query. `payloads` is what to answer, best first: an answer that is refused is followed by the next.
function Session:answer(query, payloads)
  query.payloads, query.try = payloads, 1
  self.query = query
  self.wire:answer(query.type, query.sequence, payloads[1])
end

-- A refused answer (14.5). Only where tries are counted the query waits for another.
function Session:try_again(take)
  local sequence, type, reason, left = take("i4i4i4i4")
  self.count.errors = self.count.errors + 1
  self:say("answer %d to frame %d refused, reason %d: %s", type, sequence, reason, shown(take("s4"):sub(1, -2)))
  if type == 202 then
    self.said_value = nil
    self:say_next_hash()
  end
  local query = self.query
  if not query or query.sequence ~= sequence or left < 0 then return end
  if reason == -23 or reason >= -7 then
    query.try = query.try % #query.payloads + 1
    self.wire:answer(query.type, query.sequence, query.payloads[query.try])
  end
end

-- The trick structure: the cards that lie by player, and who leads (14.4).
local function trick_of(take)
  local trick = { cards = {} }
  for player = 0, 3 do
    local card = take("i4")
    if card ~= 0 then trick.cards[player] = card end
  end
  take("i4") -- the suit led
  trick.leader = take("i4")
  take("i4i4i4i4i4") -- round, hearts broken, winner, jack won, queen won
  return trick
end

local function list_of(count, take)
  local list = {}
  for i = 1, count do list[i] = take("i4") end
  return list
end

function Session:remember_player(take)
  local player = take("i4")
  take("i4i4i4") -- kind, level, presence
  self.names[player] = shown(take("s4"):sub(1, -2))
  take("s4") -- comment
end

-- Deals that were promised before this one and never disclosed (7.7). A client that does not know its count of hands
-- has not been told about all hands, so it cannot say.
function Session:look_for_broken_promises(before)
  for deal in pairs(self.promises) do
    if deal < before then
      if self.hands >= 0 then self:complain("deal %d was promised and never disclosed", deal) end
      self.promises[deal] = nil
    end
  end
end

-- Who can have chosen a deal, and whose values are missing, in words (14.8, point 9).
function Session:who_chose(deal, proof)
  local withholders, counts = {}, {}
  local again = deal <= self.counted -- after coming back
  self.counted = math.max(deal, self.counted)
  for player = 0, 3 do
    local missing = proof.missing >> player & 1
    if not again then
      local promised = missing == 1 or proof.values[player]:find("[^\0]") ~= nil
      self.missing[player] = self.missing[player] + missing
      self.promised_values[player] = self.promised_values[player] + (promised and 1 or 0)
    end
    if missing == 1 then
      local name, of = self.names[player], self.promised_values[player]
      table.insert(withholders, name)
      table.insert(counts, ("; %s: %d of %d numbers missing"):format(name, self.missing[player], of))
    end
  end
  local said = "nobody chose it"
  if self:value_for(deal) ~= proof.values[self.me] then
    said = "your number was left out: it may have been chosen"
  elseif #withholders > 0 then
    said = said .. ", but for whether " .. table.concat(withholders, ", ") .. " showed a number or not"
  end
  return said .. table.concat(counts)
end

local function four(take, format)
  local list = {}
  for player = 0, 3 do list[player] = take(format) end
  return list
end

--------------------------------------------------------------------------- what to do about each kind of frame

local on = {}

on[209] = function(self, take) -- P_SEATED
  self.me, self.game, self.game_id = take("i4i4i4")
  self:say("game %d, player %d at %s", self.game, self.me, shown(take("s4"):sub(1, -2)))
end

on[125] = function(self, take) -- P_REGISTER_OPPONENTS
  for _ = 0, 3 do self:remember_player(take) end
end

on[135] = function(self, take) -- P_PLAYER_CHANGE
  take("i4")
  self:remember_player(take)
end

on[203] = function(self, take) -- P_DEAL_COMMITMENT
  local deal = take("i4")
  local promise = { deal = deal, commitment = take("c32"), hashes = four(take, "c32") }
  promise.raw = deal .. " " .. promise.commitment .. table.concat(promise.hashes, "", 0)
  self:look_for_broken_promises(deal)
  if self.promises[deal] and self.promises[deal].raw ~= promise.raw then
    self:complain("deal %d is promised anew, and otherwise; was there a power cut?", deal)
  end
  self.promises[deal] = promise
  self.promised = deal
  -- It would have to be stored now, if this program kept its seat in a file.
  local own, held = promise.hashes[self.me], self.held
  if held and held.raw == promise.raw then return end
  if own == deals.sha256(deals.value(self.cut_key, self.next_value)) then
    self.held, self.next_value = promise, self.next_value + 1
  elseif held and held.hashes[self.me] == own then
    held.spoiled = true
    self:complain("deals %d and %d are promised with one number of ours; it is shown for neither", held.deal, deal)
  end
end

on[202] = function(self, take, query) -- P_CUT
  take("i4i4")
  local value = self:value_for(take("i4"))
  if value then self:answer(query, { value .. self:hash_to_say() }) end
end

on[211] = function(self, take) -- P_REPLAY
  self.past = take("i4") == 1
  self:say_next_hash()
end

on[114] = function(self, take) -- P_NEW_HAND
  self:say_next_hash()
  take("i4")
  self.hand = { me = self.me, direction = take("i4"), deal = self.promised, dealt = {}, passed = {},
    played = { [0] = {}, {}, {}, {} } }
  self.promised = nil
end

on[127] = function(self, take) -- P_TAKE_CARD
  table.insert(self.hand.dealt, take("i4"))
end

on[104] = function(self, take, query) -- P_DO_PASS
  take("i4i4i4i4")
  local cards = best_first(list_of(take("i4"), take), danger)
  local payloads = {}
  for i = 1, #cards - 2 do
    payloads[i] = string.pack(">i4i4i4", cards[i], cards[i + 1], cards[i + 2])
  end
  self:answer(query, payloads)
end

on[111] = function(self, take) -- P_LOSE_PASS
  take("i4i4")
  self.hand.passed = list_of(3, take)
end

on[118] = function(self, take, query) -- P_PLAY_CARD, and P_LEAD_CARD
  take("i4i4")
  local wish = wish_to_play(trick_of(take))
  local legal = {}
  local cards = {}
  for i = 1, take("i4") do
    cards[i] = take("i4")
    legal[cards[i]] = take("i4") == 1
  end
  best_first(cards, function(card) return wish(card) + (legal[card] and 10000 or 0) end)
  for i, card in ipairs(cards) do cards[i] = string.pack(">i4", card) end
  self:answer(query, cards)
end
on[108] = on[118]

on[133] = function(self, take) -- P_CARD_PLAYED
  trick_of(take)
  local player = take("i4")
  table.insert(self.hand.played[player], take("i4"))
end

on[204] = function(self, take) -- P_DEAL_PROOF
  local deal = take("i4")
  local proof = { secret = take("c16"), cuts = take("c32"), values = four(take, "c32"), missing = take("i4") }
  if self.hand.deal ~= deal then return self:complain("deal %d is disclosed, but another was played", deal) end
  for _, fault in ipairs(deals.faults(self.hand, self.promises[deal], proof)) do
    self:complain("deal %d: %s", deal, fault)
  end
  self:say("deal %d: %s", deal, self:who_chose(deal, proof))
  self.count.checked = self.count.checked + 1
  self.promises[deal] = nil
end

on[105] = function(self, take) -- P_DONE_HAND
  take("i4i4i4")
  local scores = {}
  for i = 1, 4 do
    scores[i] = take("i4")
    take("i4i4i4")
  end
  self:say("scores %s", table.concat(scores, " "))
  -- A hand that ends a game counts with P_END_GAME (14.7).
  if take("i4") == -1 and self.hands >= 0 then self.hands = self.hands + 1 end
end

on[106] = function(self) -- P_END_GAME
  if self.hands >= 0 then self.hands = self.hands + 1 end
  self.games = self.games + 1
end

on[200] = function(self, _, query) -- P_MOON_CHOICE: 26 to each of the others
  self:answer(query, { string.pack(">i4", 1) })
end

on[201] = function(self, _, query) -- P_PLAY_AGAIN
  self:answer(query, { string.pack(">i4", self.games <= self.options.again and 1 or 0) })
end

on[214] = function(self, take) -- P_AGAIN_DECIDED
  take("i4")
  self.over = take("i4") == 0
end

on[124] = function(self, _, query) -- P_QUERY_NEW_RULES: as you like
  self.wire:answer(query.type, query.sequence, string.pack(">i4", 1))
end

on[117], on[119], on[208] = Session.try_again, Session.try_again, Session.try_again

on[205] = function(self, take) -- P_SERVER_NOTICE
  self:say("* %s", shown(take("s4"):sub(1, -2)))
end

on[210] = function(_, take) -- P_REFUSED
  local code = take("i4")
  fail("refused", shown(take("s4"):sub(1, -2)), code)
end

on[101] = function(_, take) -- P_ABORT_GAME
  local later = take("i4") == 1
  fail(later and "lost" or "stop", shown(take("s4"):sub(1, -2)))
end

----------------------------------------------------------------------------------------- connections and returns

function Session:play()
  self.wire = Wire.connect(self.options.host, self.options.port)
  self.count.connections = self.count.connections + 1
  self:register()
  while not self.over do
    local type, sequence, payload = self.wire:frame()
    local handler = on[type]
    if handler then handler(self, fields(payload), { type = type, sequence = sequence }) end
    self.seated_at = self.seated_at or self.game and socket.gettime()
  end
  pcall(function() -- the server ends the connection (14.2)
    while true do self.wire:frame() end
  end)
end

function Session:leave()
  self.query, self.seated_at, self.said_value, self.past = nil, nil, nil, false
  if self.wire then
    self.count.frames = self.count.frames + self.wire.frames
    self.wire.tcp:close()
    self.wire = nil
  end
end

-- Whether a try is worth while after a fault. After -103 to a count of hands one is, without a count (5.6).
function Session:worth_a_try(fault)
  if fault.kind ~= "refused" then return fault.kind == "lost" end
  if fault.code == -103 and self.game and self.hands > 0 then
    self.hands = -1
    return true
  end
  return LATER[fault.code]
end

-- Play to the end of the session, over as many connections as it takes.
function Session:run()
  local pause, lost_at, losses_at_once = 0.5, socket.gettime(), 0
  while true do
    local ok, fault = pcall(self.play, self)
    local now, seated_at = socket.gettime(), self.seated_at
    self:leave()
    if ok then break end
    if type(fault) ~= "table" then error(fault, 0) end
    self:say("%s: %s", fault.code and "refused with " .. fault.code or fault.kind, fault.text)
    if not self:worth_a_try(fault) then return false end
    if seated_at then
      pause, lost_at = 0.5, now
      losses_at_once = now - seated_at < 1 and losses_at_once + 1 or 0
      if losses_at_once > 9 then return false end -- does another program play with the same numbers? (5.6)
    end
    if now - lost_at > PATIENCE then return false end
    socket.sleep(pause)
    pause = math.min(pause * 1.6, 10)
  end
  self:look_for_broken_promises(math.maxinteger)
  local count = self.count
  self:say("done: %d hands, %d frames, %d connections, %d deals checked, %d faults, %d answers refused", self.hands,
    count.frames, count.connections, count.checked, count.faults, count.errors)
  return count.faults == 0
end

local options = { host = "127.0.0.1", port = 7626, name = "Lua", computers = 0, again = 0, ["end-score"] = 0,
  password = os.getenv("HEARTS_PASSWORD"), table = nil }
for i = 1, #arg, 2 do
  local name = arg[i]:match("^%-%-(.+)$")
  if not name or not arg[i + 1] then
    io.stderr:write("options: --host --port --name --table --computers --end-score --again, each with a value\n")
    os.exit(2)
  end
  options[name] = math.type(options[name]) == "integer" and math.tointeger(tonumber(arg[i + 1])) or arg[i + 1]
end
io.stdout:setvbuf("line")
os.exit(Session.new(options):run() and 0 or 1, true)
