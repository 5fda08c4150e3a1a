import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { Agent, request } from '/work/main/node_modules/undici/index.js';
import { startTestServer } from '/work/main/test/support/server.ts';
import { append } from '/work/main/src/events/events.ts';
import { json } from '/work/main/src/kernel/json.ts';
const N = Number(process.argv[2] ?? 20000), W = Number(process.argv[3] ?? 16);
const child = spawn(process.execPath, ['/tmp/whb/recv.mjs'], { stdio: ['ignore','pipe','inherit'] });
const port = await new Promise<string>(r => child.stdout.once('data', d => r(String(d).trim())));
const url = `http://127.0.0.1:${port}`;
const count = async () => Number(await (await fetch(url+'/count')).text());
async function bare(total: number, conc: number) {
  await fetch(url+'/reset');
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const body = 'x'.repeat(620); let i = 0; const t = performance.now();
  await Promise.all(Array.from({length: conc}, async () => { while (i++ < total) { const r = await request(url+'/a', { dispatcher: agent, method:'POST', body, headers: {'content-type':'application/json'} }); for await (const _ of r.body); } }));
  const rate = total / ((performance.now()-t)/1000); await agent.close(); return rate;
}
console.log('bare undici 64', Math.round(await bare(N, 64)), ' 4:', Math.round(await bare(N,4)));
const folder = mkdtempSync('/tmp/whb-');
const s0 = await startTestServer({}, { folder });
const ids = [];
for (let i = 0; i < W; i++) ids.push((await s0.call('POST','/api/webhooks',{payload_url: url+'/h'+i, triggers:['comments'], secret:'a secret of some length', enabled:true})).body.id);
const db = s0.running.db;
// held off: make them due later by disabling after the events
const entity = json(JSON.stringify({id:1,text:'x'.repeat(300)}));
const t0 = performance.now();
const { DatabaseSync } = await import('node:sqlite');
await s0.running.close();
// open store alone
const { openSqlite } = await import('/work/main/src/db/sqlite.ts');
const st = openSqlite({ folder, log: console as any, clock: { now: () => Date.now() } });
for (let i = 0; i < N / W; i += 200) await Promise.all(Array.from({length:200}, () => st.write(tx => append(tx, { action:'comment_created', actor:{id:1,json:json('{"id":1}')}, appId:null, entity:{id:1,json:entity}, at: Date.now() as any }))));
await st.close();
console.log('backlog made', Math.round(performance.now()-t0));
await fetch(url+'/reset');
const { Session } = await import('node:inspector/promises'); const { writeFileSync } = await import('node:fs');
const sess = new Session(); if (process.env.PROF) { sess.connect(); await sess.post('Profiler.enable'); await sess.post('Profiler.start'); }
const cpu0 = process.cpuUsage();
const t1 = performance.now();
const s1 = await startTestServer({}, { folder });
const total = Math.floor(Math.ceil(N/W/200)*200*W);
let t2=0;
while (true) { const c = await count(); if (c >= total) break; if (t2===0 && c>500) t2=performance.now(); await new Promise(r=>setTimeout(r,20)); }
const dt = performance.now()-t1;
const cpu = process.cpuUsage(cpu0);
console.log('sender', total, 'in', Math.round(dt), 'ms =', Math.round(total/(dt/1000)), '/s; cpu us each', ((cpu.user+cpu.system)/total).toFixed(1));
if (process.env.PROF) { const { profile } = await sess.post('Profiler.stop'); writeFileSync('/tmp/whb/prof/x.cpuprofile', JSON.stringify(profile)); }
const t3=performance.now(); await s1.close(); console.log('close', Math.round(performance.now()-t3));
console.log('bare undici again', Math.round(await bare(N, 64)));
const d = new DatabaseSync(folder+'/confab.db');
console.log(d.prepare('select status, count(*) n from deliveries group by 1').all(), d.prepare('select count(*) n from attempts').get());
child.kill(); process.exit(0);
