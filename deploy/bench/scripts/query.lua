-- The first 20 entries of a town, for wrk: another town each time.
-- Arguments: not used, the number of the round.
function init(arguments)
  math.randomseed(tonumber(arguments[2]))
end

function request()
  return wrk.format("GET", "/v1/indexes/by_town_last_name/entries?limit=20&town=Town%20" .. math.random(100, 599))
end
