// For scripts/peers: gets, 50,000 at once on one connection, with a Node.js client of Redis.
//   node peers_node.js ioredis|redis SECONDS KEYS
'use strict';
const [name, seconds, keys] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const outstanding = 50000;
const size = 100;

async function connect() {
  const where = new URL(process.env.DBDYNO_REDIS_URL);
  if (name === 'ioredis') {
    const Redis = require('ioredis');
    return new Redis({host: where.hostname, port: Number(where.port)});
  }
  const client = require('redis').createClient({url: where.href});
  await client.connect();
  return client;
}

// Each get that comes back is followed by the next one at once, so that as many are outstanding all the time.
async function main() {
  const client = await connect();
  const names = Array.from({length: keys}, (_, i) => `dbdyno:${1 + i}`);
  let over = false;
  let done = 0;
  const one = async place => {
    for (let next = place; !over; next += outstanding) {
      const value = await client.get(names[next % keys]);
      if (value === null || Buffer.byteLength(value, 'latin1') !== size) throw new Error('not what was stored');
      ++done;
    }
  };
  const all = Promise.all(Array.from({length: outstanding}, (_, place) => one(place)));
  all.catch(() => {});
  const settled = () => done >= outstanding;
  while (!settled()) await Promise.race([all, new Promise(resolve => setTimeout(resolve, 10))]);
  const cpu = process.cpuUsage();
  const begin = process.hrtime.bigint();
  const before = done;
  await Promise.race([all, new Promise(resolve => setTimeout(resolve, seconds * 1000))]);
  const operations = done - before;
  const passed = Number(process.hrtime.bigint() - begin) / 1e9;
  const used = process.cpuUsage(cpu);
  over = true;
  await all;
  console.log(JSON.stringify({operations, seconds: passed, cpu_seconds: (used.user + used.system) / 1e6}));
  await client.quit();
}
main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
