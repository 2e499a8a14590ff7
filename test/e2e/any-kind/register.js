/** Loaded by `node --import` into the gateway and the agent-runner of a stack: they then serve the tiny kind, too. */
const app = /apps\/(gateway|agent-runner)\//.exec(process.argv[1] ?? '')?.[1];
if (app !== undefined) {
  await import('#testing/tiny-kind/add-contract.js');
  const { features } = await import(`../../../dist/apps/${app}/src/features.js`);
  const { tinyGateway } = await import('#testing/tiny-kind/gateway.js');
  const { tinyRunner } = await import('#testing/tiny-kind/runner.js');
  features.push(app === 'gateway' ? tinyGateway : tinyRunner);
}
