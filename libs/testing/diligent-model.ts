import { parseWorkOrder } from './read-work-order.js';
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { callTools, say } from './scripted-model.js';

type Call = Parameters<typeof callTools>[number];

/**
 * A model that writes documents in small steps: it reads a file page by page, places it, and marks the chapter as
 * complete. It knows only the messages, so it works over HTTP as well.
 */
export function diligentAnswer(messages: BaseMessage[]): AIMessage {
  const at = messages.findLastIndex(({ text }) => text.startsWith('WORK ORDER\n'));
  const order = parseWorkOrder(messages[at]?.text ?? '');
  if (order === null) return say('There is no work order.');
  const file = order.files.find(({ written }) => !written)?.name;
  if (file === undefined) return say(`All ${order.file_count} files are written.`);
  const step = `Chapter ${order.chapter}: `;
  const since = messages.slice(at + 1);
  const asked = since.findLastIndex((message) => AIMessage.isInstance(message));
  const results = since.slice(asked + 1).filter((message) => ToolMessage.isInstance(message));
  const isDone = results.length > 0 && !results.some(({ text }) => text.startsWith('Error: '));
  const last = since[asked];
  const called = AIMessage.isInstance(last) ? (last.tool_calls ?? []).map(({ name }) => name) : [];
  if (called.includes('place_source'))
    return isDone ? doing(`${step}${file} is written.`, checkpoint) : doing(`${step}once more.`, fence(file));
  if (!called.includes('read_file') || !isDone)
    return doing(`${step}reading ${file}.`, ['list_files', {}], ['read_file', { filename: file }]);
  const cursor = results.flatMap(({ text }) => /^\[file .*; next cursor (\d+)\]\n/.exec(text)?.[1] ?? [])[0];
  if (cursor !== undefined)
    return doing(`${step}reading on.`, ['read_file', { filename: file, cursor: Number(cursor) }]);
  const prose: Call = ['place_source', { filename: file, as: 'prose' }];
  return doing(`${step}placing ${file}.`, file.endsWith('.md') ? prose : fence(file));
}

const checkpoint: Call = ['create_checkpoint', { label: 'written' }];

const fence = (filename: string): Call => [
  'place_source',
  { filename, as: 'fence', heading: `# ${filename.replace(/[_*`[\]<]/g, '\\$&')}` },
];

function doing(sentence: string, ...calls: Call[]): AIMessage {
  return new AIMessage({ content: sentence, tool_calls: callTools(...calls).tool_calls ?? [] });
}
