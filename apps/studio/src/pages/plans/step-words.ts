import { valueAt } from '#contracts/json-pointer.js';
import { isObject, jsonOf } from '#contracts/lenient.js';
import { referenceOf } from '#plan/contract/dependencies.js';
import { entriesIn } from '#plan/contract/result-places.js';
import { streamedWords } from '../../api/streamed-words';
import { useTranslation } from '../../i18n/i18n';
import type { Plan, PlanTask } from '../../api/plans';
import { inWords } from '../../ui/result-value';

/** Maximum number of characters shown of a value. */
const SHOWN = 60;
/** Fields of results that contain their text, or else what they are about. */
const TEXTS = ['text', 'markdown', 'answer', 'name'];
type Result = Pick<Plan['results'][number], 'preview' | 'entries'>;
/** Placeholders of titles, for arguments that a step lacks. */
const MISSING = { name: '…', url: '…', query: '…', to: '…' };

/** Returns functions that say what the steps of a plan do. @param results by step, whose values replace their names */
export function useStepWords(results?: ReadonlyMap<string, Pick<Result, 'preview'>>) {
  const { t } = useTranslation();
  const short = (value: unknown): string => {
    const reference = referenceOf(value);
    const { preview = '' } = (reference && results?.get(reference.$from)) ?? {};
    const found = reference ? valueAt(jsonOf(preview), reference.path) : value;
    const isNamed = reference && (found === undefined || typeof found === 'object');
    const text = isNamed ? t('plans.resultOf', { task: reference.$from }) : inWords(found);
    return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
  };
  const title = ({ tool, arguments: args }: Pick<PlanTask, 'tool' | 'arguments'>): string => {
    const words = Object.entries(args).map(([name, value]) => [name, short(value)]);
    const given = { ...MISSING, ...(Object.fromEntries(words) as Record<string, string>) };
    const inner = args['arguments'] as PlanTask['arguments'] | undefined;
    // The tool that a `map` calls says what is done for each item.
    const each =
      typeof args['tool'] === 'string' ? { tool: title({ tool: args['tool'], arguments: inner ?? {} }) } : {};
    return t(`step.${tool}`, { tool: '…', ...given, ...each, defaultValue: tool });
  };
  return {
    /** Returns what a step does, such as “Read crew.csv”; a tool of a server has only its name. */
    title,
    /** Returns a function that returns the label of a tool's argument; one of a server's tool has only its name. */
    argument:
      (tool: string | undefined) =>
      (name: string): string =>
        tool?.includes('/') ? name : t(`argument.${name}`, { defaultValue: name }),
    /** Returns a result in a few words: the number of its rows or entries, its text or its values. */
    result: ({ preview, entries }: Result): string => {
      const value = jsonOf(preview);
      const count = entries ?? entriesIn(value);
      if (count !== undefined)
        return t(preview.includes('"rows":') ? 'plans.rows' : 'plans.entries', { count });
      if (value === undefined) return short(TEXTS.map((name) => streamedWords(preview, name)).find(Boolean));
      if (!isObject(value)) return short(value);
      const labelled = Object.entries(value).flatMap(([name, each]) =>
        name.endsWith('_id') ? [] : `${t(`resultField.${name}`, { defaultValue: name })}: ${inWords(each)}`,
      );
      return short(TEXTS.map((name) => value[name]).find(Boolean) ?? labelled.join(', '));
    },
  };
}
