import { AIMessageChunk } from '@langchain/core/messages';

const SILENT = 'scriptorium_silent';

/** Creates a part of an answer that belongs to the conversation but is not shown to the user. */
export function silentChunk(content: string): AIMessageChunk {
  return new AIMessageChunk({ content, additional_kwargs: { [SILENT]: true } });
}

export function isSilent(chunk: AIMessageChunk): boolean {
  return chunk.additional_kwargs[SILENT] === true;
}
