import { Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { referenceOf } from '#plan/contract/dependencies.js';
import { placesFor, propertiesOf } from '#plan/contract/result-places.js';
import type { Schemas } from '../../api/api-query';
import { inputsOf } from '../../api/documents';
import { collectionsQuery } from '../../api/knowledge';
import { toolsQuery, type PlanTask } from '../../api/plans';
import { useTranslation } from '../../i18n/i18n';
import type { JsonSchema } from '../../ui/json-schema';
import { ValueField, type Picks } from '../../ui/value-field';
import { useStepWords } from './step-words';

export type Tools = ReadonlyMap<string, Schemas['Tool']>;

/** Returns the tools of plans by name; none until they are loaded. */
export const useTools = (): Tools =>
  new Map(useQuery(toolsQuery).data?.items.map((tool) => [tool.name, tool]) ?? []);

/** Returns what the fields for files and collections offer. @param files in addition to those of the session */
export function usePicks(sessionId: string | undefined, files: { name: string }[] = []): Picks {
  const inputs =
    useQuery({ ...inputsOf(sessionId ?? ''), enabled: sessionId !== undefined }).data?.items ?? [];
  const collections = useInfiniteQuery(collectionsQuery()).data?.pages.flatMap(({ items }) => items) ?? [];
  return {
    input: [...new Set([...inputs, ...files].map(({ name }) => name))].map((name) => ({
      value: name,
      label: name,
    })),
    collection: collections.map(({ id, name }) => ({ value: id, label: name })),
  };
}

interface StepFormProps {
  /** Undefined if it is no longer offered: its arguments then have no schema. */
  tool: Schemas['Tool'] | undefined;
  values: PlanTask['arguments'];
  picks: Picks;
  /** Names of arguments that are shown although they have no value. */
  asked?: readonly string[];
  /** Whether it shows all arguments of the tool, or only those that are asked for. */
  isOpen?: boolean;
  /** Steps whose results the arguments can use. */
  earlier?: readonly PlanTask[];
  tools: Tools;
  /** Undefined if the user may only read. */
  onChange: ((values: PlanTask['arguments']) => void) | undefined;
}

/** A form for the arguments of a step, made from the schema of its tool: a value, or the result of an earlier step. */
export function StepForm(props: StepFormProps) {
  const { tool, values, picks, asked = [], isOpen = true, earlier = [], tools, onChange } = props;
  const { t, language } = useTranslation();
  const labelFor = useStepWords().argument(tool?.name);
  const schemas = propertiesOf(tool?.input ?? {}) as Record<string, JsonSchema>;
  const required = (tool?.input['required'] ?? []) as string[];
  const offered = Object.keys(schemas).filter((name) => !schemas[name]!['x-for-people']);
  const all = [...required, ...asked, ...Object.keys(values), ...(onChange ? offered : [])];
  const names = isOpen ? [...new Set(all)] : asked;
  const isShown = (name: string) =>
    values[name] !== undefined || required.includes(name) || asked.includes(name);
  const field = (name: string) => {
    const { description, ...schema } = schemas[name] ?? {};
    const change =
      onChange &&
      ((value: unknown) => {
        const { [name]: _, ...others } = values;
        onChange(value === undefined ? others : { ...others, [name]: value });
      });
    const shared = { label: labelFor(name), value: values[name], required: required.includes(name) };
    return (
      <div key={name}>
        {!referenceOf(values[name]) && (
          <ValueField
            {...shared}
            // Descriptions are English; the names of the platform's arguments have texts in every language.
            description={language === 'en' || shared.label === name ? description : undefined}
            schema={schema}
            picks={picks}
            labelFor={labelFor}
            onChange={change}
          />
        )}
        <ResultSelect {...shared} schema={schema} earlier={earlier} tools={tools} onChange={change} />
      </div>
    );
  };
  const others = names.filter((name) => !isShown(name));
  return (
    <Stack gap="sm">
      {names.filter(isShown).map(field)}
      {others.length > 0 && (
        <details>
          <summary>{t('plans.options')}</summary>
          <Stack gap="sm" mt="sm" children={others.map(field)} />
        </details>
      )}
    </Stack>
  );
}

interface ResultSelectProps extends Pick<StepFormProps, 'earlier' | 'tools'> {
  label: string;
  value: unknown;
  required: boolean;
  schema: JsonSchema;
  onChange: ((value: unknown) => void) | undefined;
}

/** Chooses a place in the result of an earlier step that fits the argument; nothing if there is none. */
export function ResultSelect(props: ResultSelectProps) {
  const { label, value, required, schema, earlier = [], tools, onChange } = props;
  const { t } = useTranslation();
  const words = useStepWords();
  const used = referenceOf(value);
  const groups = earlier.map((task) => ({
    group: `${words.title(task)} (${task.id})`,
    items: placesFor(tools.get(task.tool)?.output ?? {}, { ...schema }).map((path) => ({
      value: `${task.id} ${path}`,
      label: path === '' ? t('plans.wholeResult') : path.slice(1).replaceAll('/', ' › '),
    })),
  }));
  const chosen = used && `${used.$from} ${used.path}`;
  const isOffered = groups.some(({ items }) => items.some((item) => item.value === chosen));
  if (!used && !groups.some(({ items }) => items.length > 0)) return null;
  const kept = {
    group: t('plans.resultOf', { task: used?.$from ?? '' }),
    items: [{ value: chosen!, label: chosen! }],
  };
  return (
    <Select
      size={used ? 'sm' : 'xs'}
      mt={used ? 0 : 4}
      variant={used ? 'default' : 'filled'}
      {...(used ? { label, required } : { 'aria-label': t('plans.useResultFor', { name: label }) })}
      description={used && t('plans.resultOf', { task: used.$from })}
      placeholder={t('plans.useResult')}
      searchable
      readOnly={!onChange}
      clearable={!!onChange}
      data={used && !isOffered ? [...groups, kept] : groups}
      value={chosen}
      onChange={(next) => {
        // A path may contain spaces.
        const at = next?.indexOf(' ') ?? 0;
        onChange?.(
          next === null ? undefined : { ...used, $from: next.slice(0, at), path: next.slice(at + 1) },
        );
      }}
    />
  );
}
