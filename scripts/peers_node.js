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

async function main() {
  const client = await connect();
  const names = Array.from({length: outstanding}, (_, i) => `dbdyno:${1 + i % keys}`);
  const round = async () => {
    const values = await Promise.all(names.map(key => client.get(key)));
    for (const value of values) {
      if (value === null || Buffer.byteLength(value, 'latin1') !== size) throw new Error('not what was stored');
    }
  };
  await round();
  const cpu = process.cpuUsage();
  const begin = process.hrtime.bigint();
  let operations = 0;
  let passed = 0;
  do {
    await round();
    operations += outstanding;
    passed = Number(process.hrtime.bigint() - begin) / 1e9;
  } while (passed < seconds);
  const used = process.cpuUsage(cpu);
  console.log(JSON.stringify({operations, seconds: passed, cpu_seconds: (used.user + used.system) / 1e6}));
  await client.quit();
}
main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
