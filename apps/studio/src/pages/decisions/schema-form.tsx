import {
  Checkbox,
  FileInput,
  Group,
  NumberInput,
  Radio,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  choicesOf,
  initialAnswer,
  isRecord,
  isReferenceChoice,
  type AnswerValue,
  type JsonSchema,
} from './schema';

interface FieldProps {
  schema: JsonSchema;
  value: AnswerValue | undefined;
  onChange: (value: AnswerValue) => void;
  label?: string;
  required?: boolean;
  /** What is known of a field by its name, such as where a reference stands. */
  describe?: (name: string) => string | null;
}

/** A form made from a JSON Schema alone, so that a question of any kind of run can be answered. */
export function SchemaForm(props: FieldProps) {
  const { schema, label = '', value, onChange, describe } = props;
  if (isReferenceChoice(schema)) return <ReferenceField {...props} />;
  if (schema.properties)
    return (
      <Stack gap="sm">
        {Object.entries(schema.properties).map(([name, field]) => (
          <SchemaForm
            key={name}
            schema={field}
            label={name}
            required={schema.required?.includes(name)}
            describe={describe}
            value={isRecord(value) ? value[name] : undefined}
            onChange={(inner) => onChange({ ...(isRecord(value) ? value : {}), [name]: inner })}
          />
        ))}
      </Stack>
    );
  if (schema.type === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (schema.type === 'array')
    return (
      <TagsInput
        label={label}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(list) => onChange(list)}
      />
    );
  return <ScalarField {...props} />;
}

function ScalarField({ schema, label, value, onChange, required, describe }: FieldProps) {
  const choices = choicesOf(schema);
  const description = (label && describe?.(label)) || schema.description;
  if (choices)
    return (
      <Radio.Group
        label={label}
        description={description}
        value={String(value ?? '')}
        onChange={onChange}
        required={required}
      >
        <Group gap="lg" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={choice} />
          ))}
        </Group>
      </Radio.Group>
    );
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberInput
        label={label}
        description={description}
        value={typeof value === 'number' ? value : ''}
        min={schema.minimum}
        max={schema.maximum}
        allowDecimal={schema.type === 'number'}
        onChange={(number) => typeof number === 'number' && onChange(number)}
        required={required}
      />
    );
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      maxLength={schema.maxLength}
      required={required}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A missing file: upload it, use one that the session has, or leave it out. */
function ReferenceField({ schema, label = '', value, onChange, describe }: FieldProps) {
  const { t } = useTranslation();
  const file = value instanceof File ? value : null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {describe?.(label) && (
        <Text size="xs" c="dimmed">
          {describe(label)}
        </Text>
      )}
      <Group align="center" gap="md">
        <Radio
          label={t('decision.skip')}
          checked={value === 'skip'}
          onChange={() => onChange(initialAnswer(schema))}
        />
        <FileInput
          aria-label={t('decision.upload', { ref: label })}
          placeholder={t('decision.uploadShort')}
          value={file}
          onChange={(chosen) => onChange(chosen ?? 'skip')}
          clearable
          maw={260}
        />
      </Group>
    </Stack>
  );
}
