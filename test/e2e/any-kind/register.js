/** Loaded by `node --import` into the gateway and the agent-runner of a stack: they then serve the tiny kind, too. */
const app = process.argv[1] ?? '';
if (/apps\/(gateway|agent-runner)\//.test(app)) await import('#testing/tiny-kind/register.js');
if (/apps\/agent-runner\//.test(app)) {
  const { definitions } = await import('../../../dist/apps/agent-runner/src/kinds.js');
  const { createObjectStore } = await import('#storage/create-object-store.js');
  const { TinyDefinition } = await import('#testing/tiny-kind/definition.js');
  const store = createObjectStore({ kind: 'directory', root: process.env['STORAGE_DIR'] });
  definitions.tiny = () => new TinyDefinition(store);
}
