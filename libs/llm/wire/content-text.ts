import type { OpenAIClient } from '@langchain/openai';
import { isObject } from '#contracts/lenient.js';

/** Returns the text of a message that we send. */
export function textOfMessage({ content }: OpenAIClient.Chat.Completions.ChatCompletionMessageParam): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
}

/** Returns the text of an answer's content, in any form that servers send; skips parts with reasoning. */
export function textOfAnswer(content: unknown): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return partText(content);
  return Array.isArray(content) ? content.map(partText).join('') : '';
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, text } = isObject(part) ? part : {};
  return (type === 'text' || type === 'output_text') && typeof text === 'string' ? text : '';
}
