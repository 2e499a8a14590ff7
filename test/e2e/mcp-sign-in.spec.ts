import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import type { ApiClient } from '#testing/api-client.js';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type ElicitRequest,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const REDIRECT = 'http://127.0.0.1:4711/callback';

/** The sign-in of the official client; `page` is the address that it opens in the browser. */
class SignIn implements OAuthClientProvider {
  page: URL | undefined;
  stored: StoredOAuthTokens | undefined;
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'Editor', redirect_uris: [REDIRECT] };
  private client: StoredOAuthClientInformation | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.stored = tokens);
  redirectToAuthorization = (url: URL) => void (this.page = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;
}

describe('an MCP client at work', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  /** Fills in the page like a person in a browser; returns the parameters of the redirect. */
  const agree = async (page: URL) => {
    const html = await (await fetch(page)).text();
    expect(html).toContain('Editor');
    const fields = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]): [string, string] => [name!, value!],
    );
    const answer = await fetch(new URL('/oauth/authorize', page), {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams([...fields, ['decision', 'allow'], ['api_key', tenant.key!]]),
      redirect: 'manual',
    });
    return new URL(answer.headers.get('location')!).searchParams;
  };

  it('P12 signs in by OAuth, lists, starts a document, has a person approve, and fetches the file', async () => {
    const signIn = new SignIn();
    const shown: string[] = [];
    const connect = async () => {
      const client = new Client(
        { name: 'editor', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
      );
      client.setRequestHandler('elicitation/create', ({ params }: ElicitRequest) => {
        shown.push(params.message);
        return { action: 'accept' as const, content: { approved: true } };
      });
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', stack.url), {
        authProvider: signIn,
      });
      return { client, transport, connecting: client.connect(transport) };
    };
    const refused = await connect();
    await expect(refused.connecting).rejects.toThrow(UnauthorizedError);
    await refused.transport.finishAuth(await agree(signIn.page!));
    // An access token that has ended is replaced by the refresh token.
    signIn.stored = { ...signIn.stored!, access_token: 'sct_ended' };
    const { client, connecting } = await connect();
    await connecting;
    expect(signIn.stored.access_token).not.toBe('sct_ended');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_document');

    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of several tools
    const call = async (name: string, args: object): Promise<any> => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
      expect([name, isError ? content : undefined]).toEqual([name, undefined]);
      return structuredContent;
    };
    const base64 = Buffer.from('# Notes\n\nThe tea was hot.\n').toString('base64');
    const { run } = await call('write_document', { files: [{ name: 'notes.md', base64 }], wait_seconds: 0 });
    await tenant.completed(run.id);
    const { content } = await client.callTool({ name: 'get_run', arguments: { run_id: run.id } });
    const links = content.filter((block) => block.type === 'resource_link');
    const word = links.find(({ name }) => name.endsWith('.docx'))!;
    expect(word.mimeType).toContain('wordprocessingml');
    const { contents } = await client.readResource({ uri: word.uri });
    expect(contents).toMatchObject([{ blob: expect.stringMatching(/^UEsD/) }]);

    const tasks = [
      { id: 'write', tool: 'write_file', arguments: { name: 'tea.csv', content: [{ a: 1, b: 2 }] } },
    ];
    const asked = await call('execute_plan', {
      dag: { tasks },
      config: { hil: { approval_required: 'always' } },
      wait_seconds: 120,
    });
    const { workflow_id, checkpoint_id } = asked.approval_required;
    const ended = await call('approval_response', { workflow_id, checkpoint_id, wait_seconds: 120 });
    expect(ended).toMatchObject({ error: null, status: 'completed' });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('tea.csv');
    const { resources } = await client.listResources();
    const csv = resources.find(({ name }) => name === 'tea.csv')!;
    expect(csv.mimeType).toBe('text/csv');
    expect((await client.readResource({ uri: csv.uri })).contents).toMatchObject([
      { text: expect.stringMatching(/^a,b\r?\n1,2/) },
    ]);
    await client.close();
  });
});
