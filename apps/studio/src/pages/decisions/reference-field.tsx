import { FileInput, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { inputsOf } from '../../api/documents';
import type { AnswerValue } from './schema';

interface ReferenceFieldProps {
  /** Reference as written in the source. */
  reference: string;
  /** Location of the reference. */
  place: string | null;
  sessionId: string;
  value: AnswerValue | undefined;
  onChange: (value: AnswerValue) => void;
}

/** Prefix of an answer that names a file of the session. */
const USED = 'use:';

/** Field for a missing file: upload it, use a file of the session, or omit it. */
export function ReferenceField({ reference, place, sessionId, value, onChange }: ReferenceFieldProps) {
  const { t } = useTranslation();
  const inputs = useQuery(inputsOf(sessionId)).data?.items ?? [];
  const used = typeof value === 'string' && value.startsWith(USED) ? value.slice(USED.length) : null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {reference}
      </Text>
      {place && (
        <Text size="xs" c="dimmed">
          {place}
        </Text>
      )}
      <Group align="center" gap="md">
        <Radio label={t('decision.skip')} checked={value === 'skip'} onChange={() => onChange('skip')} />
        <FileInput
          aria-label={t('decision.upload', { ref: reference })}
          placeholder={t('decision.uploadShort')}
          value={value instanceof File ? value : null}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable
          maw={260}
        />
        {inputs.length > 0 && (
          <Select
            aria-label={t('decision.use', { ref: reference })}
            placeholder={t('decision.useShort')}
            data={inputs.map(({ name }) => name)}
            value={used}
            onChange={(name) => onChange(name === null ? '' : USED + name)}
            clearable
            searchable
            w={300}
            maw="100%"
          />
        )}
      </Group>
    </Stack>
  );
}
