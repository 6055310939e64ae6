-- Sends the requests of a file in turn. wrk itself counts responses with a status of 400 and above.
-- wrk ... -s load.lua <url> -- <file> <mark> <load>
-- For each request, the file has a line with its length in bytes, and then the bytes of the request.
-- A mark in a request is replaced by a unique value, made of the load and a counter. The value has a random start, like
-- the values of many clients, so that it goes to a random place of an index.
local function parts(bytes)
  local first, last = bytes:find(mark, 1, true)
  if not first then
    return { whole = bytes }
  end
  return { head = bytes:sub(1, first - 1), tail = bytes:sub(last + 1) }
end

function init(args)
  position, sent, requests = 0, 0, {}
  mark, load = args[2], args[3]
  math.randomseed(tonumber(load:sub(1, 8), 16))
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
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"unexpected":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
