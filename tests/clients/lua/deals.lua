-- Deals that can be checked: SHA-256, the shuffle, cuts, and the check of a hand that is over.
-- Sections 7, annex A and 14.8 of SocketSpec.md and DealerSpec.md. Needs Lua 5.3 or newer.

local deals = {}

-- The first 32 bits behind the point of prime ^ power, for the first primes: the constants of SHA-256.
local function roots(power, count)
  local words, number = {}, 2
  while #words < count do
    local prime = true
    for divisor = 2, number - 1 do
      prime = prime and number % divisor ~= 0
    end
    if prime then
      words[#words + 1] = math.floor(number ^ power % 1 * 2 ^ 32)
    end
    number = number + 1
  end
  return words
end

local START, ROUND = roots(1 / 2, 8), roots(1 / 3, 64)

local function rotated(word, bits)
  return (word >> bits | word << (32 - bits)) & 0xffffffff
end

local function compress(state, w)
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    local s0 = rotated(x, 7) ~ rotated(x, 18) ~ x >> 3
    local s1 = rotated(y, 17) ~ rotated(y, 19) ~ y >> 10
    w[i] = w[i - 16] + s0 + w[i - 7] + s1 & 0xffffffff
  end
  local a, b, c, d, e, f, g, h = table.unpack(state)
  for i = 1, 64 do
    local s1 = rotated(e, 6) ~ rotated(e, 11) ~ rotated(e, 25)
    local s0 = rotated(a, 2) ~ rotated(a, 13) ~ rotated(a, 22)
    local t1 = h + s1 + (e & f ~ ~e & g) + ROUND[i] + w[i]
    local t2 = s0 + (a & b ~ a & c ~ b & c)
    a, b, c, d, e, f, g, h = t1 + t2 & 0xffffffff, a, b, c, d + t1 & 0xffffffff, e, f, g
  end
  for i, word in ipairs({ a, b, c, d, e, f, g, h }) do
    state[i] = state[i] + word & 0xffffffff
  end
end

function deals.sha256(text)
  local padded = text .. "\x80" .. ("\0"):rep((55 - #text) % 64) .. string.pack(">I8", #text * 8)
  local state = { table.unpack(START) }
  for at = 1, #padded, 64 do
    local words = { string.unpack((">" .. ("I4"):rep(16)), padded, at) }
    words[17] = nil -- where unpack stopped
    compress(state, words)
  end
  return string.pack(">" .. ("I4"):rep(8), table.unpack(state))
end

function deals.hmac(key, text)
  local function mixed(byte)
    return (key .. ("\0"):rep(64 - #key)):gsub(".", function(c) return string.char(c:byte() ~ byte) end)
  end
  return deals.sha256(mixed(0x5c) .. deals.sha256(mixed(0x36) .. text))
end

-- The value of this number, which only the owner of the key can foresee (14.8).
function deals.value(key, number)
  return deals.hmac(key, string.pack(">i4", number))
end

-- The hands of players 0-3 that follow from a secret of 16 bytes and cuts of 32 (7.2, 7.3).
function deals.hands(secret, cuts)
  local key = deals.sha256("hearts deal 1" .. secret .. cuts)
  local words = coroutine.wrap(function()
    for block = 0, math.maxinteger do
      local bytes = deals.sha256(key .. string.pack(">I4", block))
      for at = 1, 32, 4 do
        coroutine.yield((string.unpack(">I4", bytes, at)))
      end
    end
  end)
  local function uniform(n)
    local word
    repeat word = words() until word < (1 << 32) - (1 << 32) % n
    return word % n
  end

  local cards = {}
  for card = 1, 52 do cards[card] = card end
  for i = 51, 1, -1 do
    local j = uniform(i + 1)
    cards[i + 1], cards[j + 1] = cards[j + 1], cards[i + 1]
  end
  local hands = {}
  for player = 0, 3 do
    hands[player] = table.move(cards, 13 * player + 1, 13 * player + 13, 1, {})
  end
  return hands
end

local function as_set(cards)
  local set = {}
  for _, card in ipairs(cards) do set[card] = true end
  return set
end

-- Those cards of one list that are not in another.
local function without(cards, others)
  local gone, rest = as_set(others), {}
  for _, card in ipairs(cards) do
    if not gone[card] then rest[#rest + 1] = card end
  end
  return rest
end

local function same(cards, others)
  return #cards == #others and #without(cards, others) == 0 and #without(others, cards) == 0
end

local SHIFT = { 1, 3, 2 } -- by direction: left, right, across

local NONE = ("\0"):rep(32)

-- Steps 1 to 4 of 7.7, and point 9 of 14.8. `hand` is what was seen: me, direction, dealt, passed and played, the cards
-- of players 0-3. `promise` has the commitment and the hashes of players 0-3; it may be nil, if there was none. `proof`
-- has secret, cuts, the values of players 0-3, and missing. Returns a list of what does not hold, in words.
-- Step 5, whether each card was legal and the scores are right, is not checked here.
function deals.faults(hand, promise, proof)
  local faults = {}
  local function check(holds, fault)
    if not holds then faults[#faults + 1] = fault end
  end

  check(promise, "it was not promised beforehand")
  check(not promise or deals.sha256(proof.secret) == promise.commitment, "the secret is not the one that was promised")
  for player = 0, 3 do
    local value, hash = proof.values[player], promise and promise.hashes[player]
    local shown = value ~= NONE
    local named = proof.missing >> player & 1 == 1
    check(not shown or deals.sha256(value) == hash, "the number of player " .. player .. " does not fit its hash")
    check(named == (not shown and hash ~= NONE), "it names others than those who have shown no number")
    check(proof.cuts:sub(8 * player + 1, 8 * player + 8) == value:sub(1, 8), "its cuts are not those that were shown")
  end
  local dealt = deals.hands(proof.secret, proof.cuts)
  check(same(dealt[hand.me], hand.dealt), "your cards do not follow from the secret and the cuts")
  for player = 0, 3 do
    local passed = without(dealt[player], hand.played[player])
    if hand.direction == 0 then
      check(#passed == 0, "player " .. player .. " has played other cards than his own")
    else
      local receiver = (player + SHIFT[hand.direction]) % 4
      local kept = #passed == 3 and #without(passed, hand.played[receiver]) == 0
      check(kept, "the cards of player " .. player .. " do not fit to a pass")
      check(player ~= hand.me or same(passed, hand.passed), "you have passed other cards")
    end
  end
  return faults
end

return deals
