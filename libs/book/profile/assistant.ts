import { phraseOf, textOf } from '#contracts/phrases/detail.js';
import { englishText, joinPhrases, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Conversation, ProfileReply } from '../contract/conversation.js';
import type { BookProfile } from '../contract/profile.js';
import { missingRequired, nextField, questionFor, quickAnswers, readField } from './fields.js';
import { isCorrection, statedFields } from './stated-fields.js';
import { titleProblem } from './title.js';

/** Name of the model operation that these rules replace (B13). */
export const ASSIST_STAGE = 'assist_profile';

/** State of the conversation so far. */
interface Progress {
  profile: BookProfile;
  updates: BookProfile;
  /** Problem with the last message; null if it was accepted. */
  problem: Phrase | null;
  wantsToFinalize: boolean;
}

const GREETING =
  /^(?:hello|hi|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|thanks|thank you|hallo|guten (?:tag|morgen|abend)|grüß gott|moin|servus|danke|vielen dank|cześć|dzień dobry|dobry wieczór|witam|witaj|hej|dziękuję|dzięki)(?: [\p{L}']{1,20}){0,3} ?[!.,]?$/iu;
const SPEAKING =
  /^(?:i|we|ich|wir) (?:want|would|need|am|have|think|like|möchten?|will|wollen|würden?|brauchen?|haben?|bin|denke|glaube)|^(?:i'm|i’m|i'd|i’d|can you|could you|please|help me|kannst du|könntest du|können sie|könnten sie|hilf mir|helfen sie|bitte|chcę|chcemy|chciała?bym|chcielibyśmy|potrzebuję|myślę|proszę|pomóż|czy (?:możesz|może|mogę))(?: |$)/iu;
const MOST_WORDS = 12;

/** Returns whether a message is conversation instead of a value of a field. Quotation marks make anything a value. */
function isTalk(text: string): boolean {
  if (/^["“„«]/.test(text)) return false;
  const isLong = text.split(' ').length > MOST_WORDS;
  return GREETING.test(text) || SPEAKING.test(text) || text.endsWith('?') || isLong;
}

const FINALIZE =
  /^(?:(?:please|bitte|proszę) )?(?:finali[sz]e|finish|finalisieren?|abschließen|fertig(?:stellen)?|zako[nń]cz(?:yć)?|sfinalizuj|gotowe)(?: (?:it|the profile|now|es|das profil|jetzt|profil|teraz))?[ .!]*$/iu;

/**
 * Returns the part of a conversation to read: only the newest message for a client that sends the fields
 * collected so far, else all of it. An old answer read again would be mistaken for an answer to the current
 * question.
 */
export function unreadOf(messages: Conversation, kept: BookProfile | undefined): Conversation {
  return kept === undefined ? messages : messages.slice(-1);
}

/** Returns whether the author's newest message says that the profile is final (B18). */
export function asksToFinalize(messages: Conversation): boolean {
  const newest = messages.at(-1);
  return newest?.role === 'user' && FINALIZE.test(tidy(newest.content));
}

/**
 * Computes the next step of the conversation about the profile by rules (B17, B18): reads fields from the
 * author's messages and asks for the first missing one. The profile is final only if it is complete and the
 * author says so.
 *
 * @param known fields known before the conversation
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
    ...repliedWith(replyTo(progress, isFinalized)),
    field_updates: progress.updates,
    next_field: isFinalized ? null : next,
    ...(isFinalized ? { choices: [] } : choicesFor(next)),
    is_finalized: isFinalized,
    missing_required: missing,
    used_fallback: true,
    fallback_stage: ASSIST_STAGE,
  };
}

/** Drops a placeholder title, so that the assistant asks for it. */
function withoutPlaceholder({ title, ...others }: BookProfile): BookProfile {
  return title === undefined || titleProblem(title) !== null ? others : { title, ...others };
}

const repliedWith = (reply: Phrase): Pick<ProfileReply, 'assistant_reply' | 'reply_phrase'> => ({
  assistant_reply: englishText(reply),
  reply_phrase: reply,
});

/** Returns quick answers for a field, or to the question whether the profile is final (B18). */
export function choicesFor(
  field: ReturnType<typeof nextField>,
): Pick<ProfileReply, 'choices' | 'choice_phrases'> {
  const answers = quickAnswers(field);
  return {
    choices: answers.map(textOf),
    choice_phrases: answers.map((answer) => phraseOf(answer) ?? null),
  };
}

function takeMessage(content: string, progress: Progress): void {
  progress.problem = null;
  const text = tidy(content);
  progress.wantsToFinalize = FINALIZE.test(text);
  if (progress.wantsToFinalize) return;
  const found = statedFields(text);
  const asked = nextField(progress.profile);
  if (asked && Object.keys(found).length === 0) {
    const value = isTalk(text) || isCorrection(text) ? undefined : readField(asked, text);
    if (value === undefined)
      progress.problem = joinPhrases('sentences', [phrase('profile.not_read'), questionFor(asked)]);
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

/**
 * Collapses spaces and trims lines. Later patterns then need not handle runs of spaces, which would take
 * quadratic time.
 */
function tidy(message: string): string {
  const lines = message.replace(/[^\S\n]+/g, ' ').split('\n');
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function replyTo({ profile, problem, wantsToFinalize }: Progress, isFinalized: boolean): Phrase {
  if (isFinalized) return phrase('profile.finalized', { title: profile.title! });
  if (problem) return problem;
  const next = nextField(profile);
  if (!next) return phrase('profile.complete');
  if (!wantsToFinalize) return questionFor(next);
  const missing = missingRequired(profile);
  const fields = joinPhrases(
    'list',
    missing.map((field) => phrase(`profile.field.${field}`)),
  );
  const notYet = phrase('profile.missing', { fields });
  return joinPhrases('sentences', [notYet, questionFor(next)]);
}
