-- Sends the requests of a file in turn and counts the answers whose status is not the expected one.
-- wrk ... -s load.lua <url> -- <file> <expected status>
-- The file: for each request a line with its length in bytes, then the request as it goes over the wire.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local function count(status)
  if status ~= expected then
    unexpected = unexpected + 1
  end
end

function init(args)
  unexpected, position, requests = 0, 0, {}
  expected = tonumber(args[2])
  -- wrk itself counts what is 400 and above. Looking at each answer costs it time, so only a 304 is looked at,
  -- to tell it from a 200.
  if expected >= 300 then
    response = count
  end
  local file = assert(io.open(args[1], 'rb'))
  for line in function() return file:read('*l') end do
    table.insert(requests, file:read(tonumber(line)))
  end
  file:close()
end

function request()
  position = position % #requests + 1
  return requests[position]
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
