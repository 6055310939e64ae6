-- Sends the requests of a file in turn and counts the answers whose status is not the expected one.
-- wrk ... -s load.lua <url> -- <file> <expected status> <mark> <load> <whether to look at answers>
-- The file: for each request a line with its length in bytes, then the request as it goes over the wire.
-- A mark in a request is replaced by a value that no other has: it names the load and counts. It begins at random, as
-- the values of many clients do, so that an index takes them in anywhere.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local function count(status)
  if status ~= expected then
    unexpected = unexpected + 1
  end
end

local function parts(bytes)
  local first, last = bytes:find(mark, 1, true)
  if not first then
    return { whole = bytes }
  end
  return { head = bytes:sub(1, first - 1), tail = bytes:sub(last + 1) }
end

function init(args)
  unexpected, position, sent, requests = 0, 0, 0, {}
  expected, mark, load = tonumber(args[2]), args[3], args[4]
  math.randomseed(tonumber(load:sub(1, 8), 16))
  -- wrk itself counts what is 400 and above. Looking at each answer costs it time, so it is done only where a 304 is to
  -- be told from a 200, and then for both servers.
  if args[5] == 'true' then
    response = count
  end
  local file = assert(io.open(args[1], 'rb'))
  for line in function() return file:read('*l') end do
    table.insert(requests, parts(file:read(tonumber(line))))
  end
  file:close()
end

function request()
  position = position % #requests + 1
  local parts = requests[position]
  if parts.whole then
    return parts.whole
  end
  sent = sent + 1
  return string.format('%s%08x-%s-%d%s', parts.head, math.random(0, 0x7fffffff), load, sent, parts.tail)
end

function done(summary, latency)
  local errors, unexpected = summary.errors, 0
  for _, thread in ipairs(threads) do
    unexpected = unexpected + thread:get('unexpected')
  end
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"unexpected":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    math.max(unexpected, errors.status), errors.connect + errors.read + errors.write + errors.timeout))
end
