import { continueAttachments } from './attachments.js';
import { closeChapter, nextChapter, resumeChapter, writeChapter } from './chapter.js';
import type { AnsweredCall, Conversation } from './conversation.js';
import { mend, startMending } from './mend.js';
import type { Note } from './note.js';
import { finish, type WriterStep } from './writer-step.js';

const MAX_RETRIES = 2;

/** Returns the offline writer's next step, based on the conversation alone. */
export function nextStep(conversation: Conversation): WriterStep {
  const { order, orderIsNew, note } = conversation;
  if (orderIsNew) {
    if (note?.phase === 'ask' && order.files.some(({ name }) => name === note.file))
      return resumeChapter(conversation, note);
    return order.validation === 'failed' && order.issues.length > 0
      ? startMending(conversation)
      : nextChapter(conversation);
  }
  if (note === null) return nextChapter(conversation);
  const failed = conversation.answered.find((call) => call.failed && call.name !== 'read_file');
  return failed === undefined ? continueWork(conversation, note) : retry(note, failed, conversation.answered);
}

function continueWork(conversation: Conversation, note: Note): WriterStep {
  if (note.phase === 'write') return writeChapter(conversation, note);
  if (note.phase === 'written') return closeChapter(conversation, note);
  if (note.phase === 'ask') return resumeChapter(conversation, note);
  if (note.phase === 'attach') return continueAttachments(conversation, note);
  return note.phase === 'mend' ? mend(conversation) : nextChapter(conversation);
}

/** Repeats failed calls and all reads, because their results would be lost. A third failure ends the work. */
function retry(note: Note, failed: AnsweredCall, answered: AnsweredCall[]): WriterStep {
  const retries = (note.retries ?? 0) + 1;
  if (retries > MAX_RETRIES) return finish(`The tool ${failed.name} failed: ${failed.result}`);
  const calls = answered.filter(
    (call) => call.failed || call.name === 'read_file' || call.name === 'list_files',
  );
  return {
    sentence: `The tool ${failed.name} failed; trying again.`,
    calls: calls.map(({ name, args }) => ({ name, args })),
    note: { ...note, retries },
  };
}
