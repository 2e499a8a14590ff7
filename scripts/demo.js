/**
 * `npm run demo`: writes examples/incident with the CLI on the embedded stack, without questions, and prints
 * what to try next. In a terminal, it then starts the stack and prints a link to the studio. Needs dist/
 * (`npm run build`).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const args = [
  'write',
  'examples/incident',
  '-o',
  'out/incident.docx',
  '--md',
  'out/incident.md',
  '--answer',
  '*=skip',
];

console.log(`
Scriptorium writes a Word file from the raw material of an incident, in examples/incident: notes, a shell session,
a log, configuration, an alert, a screenshot. One picture that the notes mention is missing; a person would be asked
for it, the demo skips it. Everything runs on this machine; the offline scribe writes (rules, no model), and data is
kept in .scriptorium/.

  scriptorium ${args.map((arg) => (arg.includes('*') ? `'${arg}'` : arg)).join(' ')}
`);

const { status } = spawnSync(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  // The demo costs no money: without a key, the offline writer works.
  env: { ...process.env, OPENAI_API_KEY: '' },
});
if (status !== 0) process.exit(status ?? 1);

console.log(`
What to try next:

  open out/incident.docx                       the result; out/incident.md is the manuscript it was made from
  npx scriptorium write FOLDER -o report.docx  your own files; you are asked for what is missing
  npm start                                    the whole stack until Ctrl-C, with the studio for a browser and the API
  docs/REST.md                                 the same by REST with curl; README.md tells where the rest stands
`);

// Only in a terminal: the stack prints a link that signs a browser in. A script must not block.
if (process.stdout.isTTY)
  spawnSync(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), 'start'], {
    cwd: root,
    stdio: 'inherit',
  });
