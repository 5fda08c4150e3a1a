/** A bare Fastify with one route, whose start Confab's is held against. */

import { fastify } from 'fastify';

const app = fastify();
app.get('/hello', async () => ({ hello: 'world' }));
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${app.listeningOrigin}\n`);
