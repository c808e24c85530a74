"""The one Lua script by which seats of rooms and counts of sources change in Redis: the rules of `directory`.

KEYS: none, as the names depend on what is found; a single Redis or Valkey is meant, no cluster. ARGV: the word, then
its arguments. A process is alive while its key `alive:` is; what a dead one held counts for nothing and is cleared.
"""

PREFIX = "p2pball:"
"""What the names of all keys and channels begin with."""

SCRIPT = """
local prefix, word = 'p2pball:', ARGV[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local LONG, SHORT = 6 * 3600 * 1000, 600 * 1000

local function alive(home) return redis.call('EXISTS', prefix .. 'alive:' .. home) == 1 end

-- The sum of a count over the living; fields of the dead go.
local function total(key, field)
  local sum, all = 0, redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, #field) == field then
      if alive(string.sub(all[i], #field + 1)) then sum = sum + tonumber(all[i + 1])
      else redis.call('HDEL', key, all[i]) end
    end
  end
  return sum
end

local function add(key, field, by)
  if redis.call('HINCRBY', key, field, by) <= 0 then redis.call('HDEL', key, field) end
end

local function full(key, name, limit)
  local fields = redis.call('HMGET', key, name, name .. ':until')
  local left = tonumber(fields[2] or 0) - now
  if left > 0 and tonumber(fields[1]) >= limit then return math.max(1, math.ceil(left / 1000)) end
end

local function count(key, name, length)
  local till = tonumber(redis.call('HGET', key, name .. ':until') or 0)
  if now >= till then redis.call('HSET', key, name, 1, name .. ':until', now + length)
  else redis.call('HINCRBY', key, name, 1) end
end

local function stop_waiting(key)
  local opener = redis.call('HGET', key, 'opener')
  if opener and redis.call('HGET', key, 'waiting') == '1' then
    local home = redis.call('HGET', key, 'home')
    redis.call('HSET', key, 'waiting', 0)
    add(prefix .. 'source:' .. opener, 'rooms:' .. home, -1)
    add(prefix .. 'waiting', home, -1)
  end
end

local function keep(key)  -- as long as connections are counted there, else until its windows are over
  local long = total(key, 'connections:') > 0
  redis.call('PEXPIRE', key, long and LONG or SHORT)
end

if word == 'away' then
  local key = prefix .. 'room:' .. ARGV[2]
  if redis.call('HGET', key, 'room') == ARGV[3] then redis.call('HSET', key, 'away:' .. ARGV[4], 1) end
  return {}
end

if word == 'end' then
  local key = prefix .. 'room:' .. ARGV[2]
  if redis.call('HGET', key, 'room') == ARGV[3] then
    stop_waiting(key)
    redis.call('DEL', key)
  end
  return {}
end

if word == 'depart' then
  local key = prefix .. 'source:' .. ARGV[2]
  add(key, 'connections:' .. ARGV[3], -1)
  keep(key)
  return {}
end

local nameplate, role, given, source, token, home = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local may_open, resume = ARGV[8] == '1', #ARGV[2] == 32
local window, joins, failed, connections = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
local source_rooms, rooms = tonumber(ARGV[13]), tonumber(ARGV[14])
local turn_window, turn = tonumber(ARGV[15]), tonumber(ARGV[16])
local key, who = prefix .. 'room:' .. nameplate, prefix .. 'source:' .. source
local other = role == 'host' and 'guest' or 'host'

local retry = full(who, 'failed', failed)
if retry then return {'FAILED_JOINS', retry} end
retry = full(who, 'joins', joins)
if retry then return {'JOINS', retry} end
count(who, 'joins', window)
keep(who)
if total(who, 'connections:') >= connections then return {'CONNECTIONS', 0} end

local function fails(code)
  count(who, 'failed', window)
  return {code, -1}
end

local opens = 0
local there = redis.call('HGET', key, 'home')
if there and not alive(there) then
  redis.call('DEL', key)
  there = false
end
local mine = redis.call('HGET', key, 'token:' .. role)
if given ~= '' then
  if not there or mine ~= given then return fails('BAD_TOKEN') end
elseif not there then
  if role == 'guest' and not resume then return fails('NO_ROOM') end
  if not may_open then return {'DRAINING', -1} end
  if total(who, 'rooms:') >= source_rooms then return {'ROOMS', 0} end
  if total(prefix .. 'waiting', '') >= rooms then return {'RELAY_ROOMS', 0} end
  there, opens = home, 1
  redis.call('HSET', key, 'room', nameplate .. '.' .. string.sub(token, 1, 16), 'home', home, 'opener', source,
    'waiting', 1, 'token:' .. role, token)
  redis.call('PEXPIRE', key, LONG)
  add(who, 'rooms:' .. home, 1)
  add(prefix .. 'waiting', home, 1)
else
  local away = redis.call('HGET', key, 'away:' .. role) == '1' and resume
  if mine and not away and alive(redis.call('HGET', key, 'end:' .. role)) then
    return fails((role == 'host' and not resume) and 'TAKEN' or 'FULL')
  end
  redis.call('HSET', key, 'token:' .. role, token)
  if redis.call('HEXISTS', key, 'token:' .. other) == 1 then stop_waiting(key) end
end
redis.call('HDEL', key, 'away:' .. role)
redis.call('HSET', key, 'end:' .. role, home)
add(who, 'connections:' .. home, 1)
local may_turn = full(who, 'turn', turn) and 0 or 1
if may_turn == 1 then count(who, 'turn', turn_window) end
keep(who)
return {'', redis.call('HGET', key, 'room'), there, opens, may_turn}
"""
