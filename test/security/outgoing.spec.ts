import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

it('only the command line, clients of the operator’s servers and guarded code open connections to URLs', () => {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(process.cwd(), folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const opening =
    /(?<![.\w]|async )fetch\(|^import (?!type)[^;]*from '(?:node:)?(?:https?|undici|axios|got)'/m;
  const calling = files
    .filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$|^libs\/testing\/|\/generated\//.test(file))
    .filter((file) => opening.test(readFileSync(join(process.cwd(), file), 'utf8')));
  // The studio runs in a browser, under a policy that allows only its own server. The metrics server listens; the
  // stack's state is requested at the address that the stack itself wrote; the addresses of webhooks are checked
  // (ssrf.spec.ts).
  const allowed = new Set([
    'libs/embedded/owner-file.ts',
    'libs/telemetry/metrics-server.ts',
    'libs/egress/guarded-fetch.ts',
    'libs/gateway/webhooks/post.ts',
    // From the operator's settings: the model, the embedding model and the search provider.
    'libs/llm/bounded-fetch.ts',
    'libs/article/ports/json-server.ts',
  ]);
  expect(calling.length).toBeGreaterThan(allowed.size);
  const isGuarded = (file: string) =>
    /from '(?:#egress|\.)\/guarded-fetch\.js'/.test(readFileSync(join(process.cwd(), file), 'utf8'));
  expect(
    calling.filter(
      (file) => !/^(?:apps|libs)\/(?:cli|studio)\//.test(file) && !allowed.has(file) && !isGuarded(file),
    ),
  ).toEqual([]);
});
