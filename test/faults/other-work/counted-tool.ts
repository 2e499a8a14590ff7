import { says, startMcpServer } from '#testing/mcp-server.js';
import { z } from 'zod';

/** An MCP server beside the stack, which no fault hits, with a tool that has side effects: it notes each of its calls. */
export interface CountedTool {
  url: string;
  /** When the tool was called with a token, in milliseconds. */
  callsWith(token: string): number[];
  stop(): Promise<void>;
}

export async function startCountedTool(): Promise<CountedTool> {
  const calls: { token: string; at: number }[] = [];
  const { url, stop } = await startMcpServer([
    {
      name: 'note',
      description: 'Notes a token',
      parameters: { token: z.string() },
      run: ({ token }) => {
        calls.push({ token: String(token), at: Date.now() });
        return says(`noted ${String(token)}`);
      },
    },
  ]);
  const callsWith = (token: string) => calls.filter((call) => call.token === token).map(({ at }) => at);
  return { url, callsWith, stop };
}
