import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { apiQuery, change } from '../api/api-query';
import { useTranslation } from '../i18n/i18n';
import { RemoveButton, SendForm } from './actions';
import { NewLink } from './copy-text';
import { Hint, useReady } from './frames';
import { Moment } from './format';

const DAYS = ['7', '30', '90'];
const DAY_MS = 86_400_000;

export interface Shared {
  sessionId: string;
  /** What a link shows: a result or an exported file. */
  of: { result: { kind: string; name: string } } | { export_id: string };
}

/** Makes a link to a result, which is shown once, and lists the links of the session that have not ended. */
export default function ShareForm({ sessionId, of }: Shared) {
  const { t } = useTranslation();
  const [days, setDays] = useState(DAYS[0]!);
  const [path, setPath] = useState<string>();
  const at = { session_id: sessionId };
  const key = ['shares', sessionId];
  const [data, instead] = useReady(apiQuery(key, '/api/sessions/{session_id}/shares', at));
  const make = async () => {
    // A minute less than the limit, because clocks differ.
    const until = new Date(Date.now() + Number(days) * DAY_MS - 60_000).toISOString();
    const given = { ...at, body: { ...of, until } };
    setPath((await change('POST /api/sessions/{session_id}/shares', given, key)).path);
  };
  return (
    <Stack>
      <SendForm label={t('share.make')} send={make}>
        <Hint>{t('share.text')}</Hint>
        <SegmentedControl
          aria-label={t('share.until')}
          value={days}
          onChange={setDays}
          data={DAYS.map((value) => ({ value, label: t('usage.days', { count: Number(value) }) }))}
        />
      </SendForm>
      {path && <NewLink path={path} />}
      {instead ??
        data.items.map(({ id, name, created_at: made, expires_at: end }) => (
          <Group key={id} justify="space-between">
            <Text size="sm">
              {name ?? t('share.file')}: <Moment at={made} /> – <Moment at={end} />
            </Text>
            <RemoveButton
              name={end}
              act={() =>
                change('DELETE /api/sessions/{session_id}/shares/{share_id}', { ...at, share_id: id }, key)
              }
            />
          </Group>
        ))}
    </Stack>
  );
}
