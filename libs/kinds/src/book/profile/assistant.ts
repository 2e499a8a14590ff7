import type { Conversation, ProfileReply } from '#contracts/kinds/book/conversation.js';
import type { BookProfile, ProfileField } from '#contracts/kinds/book/profile.js';
import { fieldQuestions, missingRequired, namedLanguage, nextField, readField } from './fields.js';
import { titleProblem } from './title.js';

/** The operation of the model whose fallback the rules are (B13). */
export const ASSIST_STAGE = 'assist_profile';

/** What the conversation has brought so far. */
interface Progress {
  profile: BookProfile;
  updates: BookProfile;
  /** Why the last message was not taken. */
  problem: string | null;
  wantsToFinalize: boolean;
}

const FINALIZE = /^(?:please )?(?:finali[sz]e|finish|zako[nń]cz|fertig)(?: (?:it|the profile|now))?[ .!]*$/iu;

/**
 * The part of a conversation that has not been read yet: its newest message for a client that keeps what earlier replies brought, else all of it. Read
 * twice, an old answer would be taken for one to the question that is open now.
 */
export function unreadOf(messages: Conversation, kept: BookProfile | undefined): Conversation {
  return kept === undefined ? messages : messages.slice(-1);
}

/** Does the author say, with the newest message, that the profile is as it should be (B18)? */
export function asksToFinalize(messages: Conversation): boolean {
  const newest = messages.at(-1);
  return newest?.role === 'user' && FINALIZE.test(tidy(newest.content));
}

/**
 * Takes the next step of the conversation that fills in a profile, by rules alone (B17, B18): fields are read out of what the author
 * writes, the first that is missing is asked for, and the profile is final only when it is complete and its author says so.
 *
 * @param known what is known before the conversation
 */
export function assistByRules(messages: Conversation, known: BookProfile): ProfileReply {
  const progress: Progress = {
    profile: withoutPlaceholder(known),
    updates: {},
    problem: null,
    wantsToFinalize: false,
  };
  for (const { role, content } of messages) if (role === 'user') takeMessage(content, progress);
  const missing = missingRequired(progress.profile);
  const isFinalized = progress.wantsToFinalize && missing.length === 0;
  const next = nextField(progress.profile);
  return {
    assistant_reply: replyTo(progress, isFinalized),
    field_updates: progress.updates,
    next_field: isFinalized ? null : next,
    choices: isFinalized ? [] : choicesFor(next),
    is_finalized: isFinalized,
    missing_required: missing,
    used_fallback: true,
    fallback_stage: ASSIST_STAGE,
  };
}

/** A title that is none is still to be asked for, whoever sent it. */
function withoutPlaceholder({ title, ...others }: BookProfile): BookProfile {
  return title === undefined || titleProblem(title) !== null ? others : { title, ...others };
}

/** Quick answers for a field, or to the question whether all is as it should be (B18). */
export function choicesFor(field: ReturnType<typeof nextField>): string[] {
  return field ? fieldQuestions[field].choices : ['finalize'];
}

function takeMessage(content: string, progress: Progress): void {
  progress.problem = null;
  const text = tidy(content);
  progress.wantsToFinalize = FINALIZE.test(text);
  if (progress.wantsToFinalize) return;
  const found = statedFields(text);
  const asked = nextField(progress.profile);
  if (asked && Object.keys(found).length === 0) {
    const value = readField(asked, text);
    if (value === undefined) progress.problem = `I could not read that. ${fieldQuestions[asked].question}`;
    else Object.assign(found, { [asked]: value });
  }
  for (const [field, value] of Object.entries(found)) {
    const problem = field === 'title' ? titleProblem(String(value)) : null;
    if (problem) {
      progress.problem = problem;
      continue;
    }
    Object.assign(progress.profile, { [field]: value });
    Object.assign(progress.updates, { [field]: value });
  }
}

/** One blank between words, none around lines: what reads it need not look for runs of them, which would take time with their square. */
function tidy(message: string): string {
  const lines = message.replace(/[^\S\n]+/g, ' ').split('\n');
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

const STATED: [ProfileField, RegExp][] = [
  ['title', /\b(?:title|called|call it|titled|named) ?(?:is|:|it)? ?["“„«]([^"”“»]{1,200})["”“»]/iu],
  ['title', /^(?:working )?title ?(?:is|:) ?(.{1,200})$/imu],
  ['subtitle', /^subtitle ?(?:is|:) ?(.{1,300})$/imu],
  ['genre', /^(?:genre|kind) ?(?:is|:) ?(.{1,100})$/imu],
  ['target_audience', /^(?:target )?audience ?(?:is|:) ?(.{1,300})$/imu],
  ['tone', /^tone ?(?:is|:) ?(.{1,200})$/imu],
  ['language', /^language ?(?:is|:) ?(.{1,40})$/imu],
  ['chapter_length', /\b(short|medium|long)(?:-length)? chapters\b/iu],
  ['chapter_length', /^chapter[ _]length ?(?:is|:) ?(.{1,40})$/imu],
  ['chapter_count', /\b(\d{1,3}) (?:(?:short|medium|long) )?chapters\b/iu],
  ['chapter_count', /^chapters?(?:[ _]count)? ?(?:is|:) ?(\d{1,3})$/imu],
  ['instruction_brief', /^(?:brief|about|instructions?) ?:\s?([^]{1,20000})$/imu],
];

/** Fields that a message names itself, such as `Title: …` or `12 short chapters`. */
function statedFields(content: string): BookProfile {
  const found: BookProfile = {};
  for (const [field, pattern] of STATED) {
    const words = pattern.exec(content)?.[1];
    const value = words === undefined || found[field] !== undefined ? undefined : readField(field, words);
    if (value !== undefined) Object.assign(found, { [field]: value });
  }
  const language = found.language === undefined ? namedLanguage(content) : undefined;
  return language === undefined ? found : { ...found, language };
}

function replyTo({ profile, problem, wantsToFinalize }: Progress, isFinalized: boolean): string {
  if (isFinalized) return `"${profile.title}" is set up. The next step is its outline.`;
  if (problem) return problem;
  const next = nextField(profile);
  if (!next) return 'Everything that is needed is there. Type "finalize" to set it up, or change a field.';
  const { question } = fieldQuestions[next];
  if (!wantsToFinalize) return question;
  const missing = missingRequired(profile).map((field) => field.replaceAll('_', ' '));
  return `Not yet: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. ${question}`;
}
