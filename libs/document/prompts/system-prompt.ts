import { readFileSync } from 'node:fs';

/** The version of the agent's system prompt; recorded with every run. A changed prompt is a new file and a new version. */
export const SYSTEM_PROMPT_VERSION = 'v5';

interface SystemPrompt {
  version: string;
  text: string;
}

let cached: SystemPrompt | undefined;

/** The system prompt of the document agent (D14, D15), read once from the file next to this module. */
export function loadSystemPrompt(): SystemPrompt {
  cached ??= {
    version: SYSTEM_PROMPT_VERSION,
    text: readFileSync(new URL(`./system.${SYSTEM_PROMPT_VERSION}.md`, import.meta.url), 'utf8').trimEnd(),
  };
  return cached;
}
