import { ToolError, type InputPort } from '#kit/graph/ports.js';
import type { InputGlance } from './prompt.js';

/** Maximum number of files to read. The planner sees the first lines of these, and only name and size of others. */
const MAX_READ = 40;
const MAX_LINES = 5;
const MAX_CHARACTERS = 400;

/**
 * Returns name and size of each input file, and the first lines of those that `isRead` selects. Nothing is parsed, so
 * any content is safe to read.
 */
export async function glanceAt(inputs: InputPort, isRead = (_: string) => true): Promise<InputGlance[]> {
  const files = await inputs.list();
  const read = new Set(
    files
      .map(({ name }) => name)
      .filter(isRead)
      .slice(0, MAX_READ),
  );
  return Promise.all(
    files.map(async ({ name, bytes }) => ({
      name,
      bytes,
      beginning: read.has(name) ? await beginningOf(inputs, name) : null,
    })),
  );
}

async function beginningOf(inputs: InputPort, name: string): Promise<string | null> {
  try {
    const { text } = await inputs.readPage(name, 0);
    return text.split('\n').slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARACTERS).toWellFormed();
  } catch (error) {
    // Documents and pictures are not text. Their tools read them.
    if (error instanceof ToolError) return null;
    throw error;
  }
}
