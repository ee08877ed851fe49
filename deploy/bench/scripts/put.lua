-- Durable writes of single rows, for wrk: another customer each time, a JSON row of about 170 bytes.
-- Arguments: how many customers there are, the number of the round.
local first = { "Ann", "David", "Oliver", "Margaret", "Chen", "Amélie", "Ravi", "Johanna" }
local last = { "Smith", "Okafor", "Nguyen", "Lindqvist", "Garcia", "Kowalski", "Ito", "Brown" }
local street = { "Main Street", "Station Road", "Church Lane", "Mill Hill", "High Street" }
local row = '{"customerId":%d,"firstName":"%s","lastName":"%s%d","street":"%d %s","town":"Town %d",'
  .. '"phone":"425-555-%d","active":true,"change":%d}'
local headers = { ["Content-Type"] = "application/json" }
local customers = 200000
local change = 0
local random = math.random

function init(arguments)
  customers = tonumber(arguments[1])
  math.randomseed(tonumber(arguments[2]))
end

function request()
  local id = random(0, customers - 1)
  change = change + 1
  local body = row:format(id, first[random(8)], last[random(8)], random(0, 99), random(0, 1999), street[random(5)],
    random(100, 599), random(1000, 9999), change)
  return wrk.format("PUT", "/v1/tables/customers/rows/" .. id, headers, body)
end
