import { says, startMcpServer } from '#testing/mcp-server.js';
import { z } from 'zod';

/** An MCP server outside the stack, which no fault affects, with a tool that has side effects: it records each call. */
export interface CountedTool {
  url: string;
  /** Times in ms at which the tool was called, by token. */
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
