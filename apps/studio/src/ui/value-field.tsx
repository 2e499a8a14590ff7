import { jsonOf } from '#contracts/lenient.js';
import {
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { checkProps, textProps, SmallButton } from './actions';
import { choicesOf, type JsonSchema } from './json-schema';
import { isTable, Rows } from './result-value';

/** What fields for files and collections offer; values are names of files, and IDs of collections. */
export type Picks = Record<NonNullable<JsonSchema['x-picks']>, { value: string; label: string }[]>;

export interface ValueFieldProps {
  label: string;
  description?: string | undefined;
  /** Schema of the value. */
  schema: JsonSchema;
  value: unknown;
  required?: boolean | undefined;
  picks?: Picks | undefined;
  /** Returns the label of a field within the value. */
  labelFor?: ((name: string) => string) | undefined;
  /** Receives undefined if the field is emptied. Undefined if the user may only read. */
  onChange: ((value: unknown) => void) | undefined;
}

/** Returns whether a text was typed where the schema wants a list or an object. */
export const isNotJson = ({ type }: JsonSchema, value: unknown): boolean =>
  typeof value === 'string' && (type === 'array' || type === 'object');

/** Returns the properties that most fields have. */
const sharedOf = ({ label, description, required, onChange }: ValueFieldProps) => ({
  ...{ label, description, required, readOnly: !onChange },
});

/** A field for a value of any schema: a list of choices or a picker where it has some, otherwise JSON. */
export function ValueField(props: ValueFieldProps) {
  const { label, description, schema, value, required, onChange } = props;
  const items = schema.items ?? {};
  const shared = sharedOf(props);
  const change = (next: unknown) =>
    onChange?.(next === '' || (Array.isArray(next) && next.length === 0) ? undefined : next);
  const options = optionsFor(props);
  if (options && schema.type === 'array' && isTexts(value ?? []))
    return (
      <MultiSelect
        {...shared}
        searchable
        data={options}
        value={(value ?? []) as string[]}
        onChange={change}
      />
    );
  if (options && (value === undefined || typeof value === 'string'))
    return (
      <Select
        {...shared}
        searchable
        clearable={!required && !!onChange}
        data={options}
        value={value ?? null}
        onChange={(next) => change(next ?? '')}
      />
    );
  if (schema.type === 'boolean' && typeof (value ?? false) === 'boolean')
    return (
      <Checkbox
        label={label}
        description={description}
        disabled={!onChange}
        {...checkProps(value === true, (checked) => onChange?.(checked))}
      />
    );
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  if (isNumber && (value === '' || typeof (value ?? 0) === 'number')) return <NumberField {...props} />;
  if (schema.type === 'string' && typeof (value ?? '') === 'string')
    return (
      <Textarea
        {...shared}
        maxRows={30}
        maxLength={schema.maxLength}
        {...textProps((value ?? '') as string, change)}
      />
    );
  if (schema.type === 'array' && items.type === 'string' && isTexts(value ?? []))
    return <TagsInput {...shared} splitChars={[]} value={(value ?? []) as string[]} onChange={change} />;
  const isOpen = schema.properties ? isTable([value ?? {}]) : isTable(value ?? [{}]);
  return (schema.properties ?? items.properties) && isOpen ? <Parts {...props} /> : <JsonField {...props} />;
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Returns what a field offers, and its present value; null if it is free. */
function optionsFor({ schema, picks, value }: ValueFieldProps): { value: string; label: string }[] | null {
  const picked = schema['x-picks'] ?? schema.items?.['x-picks'];
  const choices = choicesOf(schema) ?? choicesOf(schema.items ?? {});
  const options =
    picked && picks
      ? picks[picked]
      : choices?.map((each) => ({ value: each, label: each.trim() || JSON.stringify(each) }));
  const others = [value ?? []].flat().filter((each) => !options?.some((option) => option.value === each));
  return options
    ? [...options, ...others.map((each) => ({ value: String(each), label: String(each) }))]
    : null;
}

/** Fields for the properties of an object, or for a list of objects. */
function Parts({ label, schema, value, required, picks, labelFor = String, onChange }: ValueFieldProps) {
  const { t } = useTranslation();
  const list = schema.properties ? null : ((value ?? (required ? [{}] : [])) as unknown[]);
  const values = (value ?? {}) as Record<string, unknown>;
  // What the schema does not name is shown too: it is also sent.
  const names = Object.keys({ ...schema.properties, ...values });
  const parts = list
    ? list.map((item, index) => ({ name: `${label} ${index + 1}`, of: schema.items!, item, index }))
    : names.map((name) => ({ name, of: schema.properties![name] ?? {}, item: values[name], index: 0 }));
  return (
    <Fieldset legend={label}>
      <Stack gap="xs">
        {parts.map(({ name, of, item, index }) => (
          <ValueField
            key={name}
            label={list ? name : labelFor(name)}
            schema={of}
            required={!list && schema.required?.includes(name)}
            value={item}
            picks={picks}
            labelFor={labelFor}
            onChange={
              onChange && ((next) => onChange(list ? list.with(index, next) : { ...values, [name]: next }))
            }
          />
        ))}
        {list && onChange && (
          <Group gap="xs">
            <SmallButton
              size="compact-xs"
              label={t('plans.addItem', { name: label })}
              onClick={() => onChange([...list, {}])}
            />
            {list.length > (required ? 1 : 0) && (
              <SmallButton
                size="compact-xs"
                label={t('plans.removeLast')}
                onClick={() => onChange(list.length > 1 ? list.slice(0, -1) : undefined)}
              />
            )}
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

/** A field for a number; what is typed of one, such as `1.` or `-`, stays. */
function NumberField(props: ValueFieldProps) {
  const { schema, value, onChange } = props;
  const [typed, setTyped] = useState<string | number>('');
  const numberIn = (text: string | number) =>
    text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
  return (
    <NumberInput
      {...sharedOf(props)}
      value={numberIn(typed) === value ? typed : ((value as number | undefined) ?? '')}
      min={schema.minimum}
      max={schema.maximum}
      allowDecimal={schema.type === 'number'}
      onChange={(next) => {
        setTyped(next);
        onChange?.(numberIn(next));
      }}
    />
  );
}

/** A field for any other value: a text as it is, anything else as JSON, of which rows are also shown as a table. */
function JsonField(props: ValueFieldProps) {
  const { schema, value, onChange } = props;
  const { t } = useTranslation();
  // A text stays a text; what is not one, or is missing, may be typed as JSON.
  const [isText] = useState(typeof value === 'string' && !isNotJson(schema, value));
  const [text, setText] = useState(
    typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''),
  );
  const type = (typed: string) => {
    setText(typed);
    const json = isText ? undefined : jsonOf(typed);
    onChange?.(typed.trim() === '' ? undefined : json === undefined ? typed : json);
  };
  return (
    <>
      <Textarea
        {...sharedOf(props)}
        maxRows={isTable(value) ? 8 : 30}
        error={isNotJson(schema, value) && t('plans.notJson')}
        {...textProps(text, type)}
      />
      {isTable(value) && <Rows rows={value} />}
    </>
  );
}
