import { useClose } from '../../ui/new-item';
import { Group, Select, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { change, call } from '../../api/api-query';
import { worksOf } from '../../api/work';
import { useTranslation } from '../../i18n/i18n';
import { Moment } from '../../ui/format';
import { ProblemAlert } from '../../ui/frames';
import { textProps, SendForm } from '../../ui/actions';
import { useWorkTitle } from '../../ui/work-name';
import { isFilled, PlanForm, type ChosenPlan } from '../plans/parameter-fields';
import { usePicks } from '../plans/step-form';

/** Expressions of cron for a time of the day; `{h}` and `{m}` are its hour and minute. */
const RHYTHMS = {
  hourly: '{m} * * * *',
  daily: '{m} {h} * * *',
  weekdays: '{m} {h} * * 1-5',
  weekly: '{m} {h} * * 1',
  monthly: '{m} {h} 1 * *',
} as const;
type Rhythm = keyof typeof RHYTHMS | 'own';
const SHOWN_TIMES = 3;

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

interface TimingChoice {
  rhythm: Rhythm;
  /** Hour and minute. */
  time: string;
  /** Expression of cron that a person wrote. */
  own: string;
}

const cronOf = ({ rhythm, time, own }: TimingChoice): string => {
  if (rhythm === 'own') return own.trim();
  const [hour = '', minute = ''] = time.split(':');
  return RHYTHMS[rhythm].replace('{m}', String(Number(minute))).replace('{h}', String(Number(hour)));
};

/** Returns what a schedule starts: a saved plan, or the run of a document. */
const started = (session: string | null, chosen: ChosenPlan | null) =>
  chosen && 'savedPlanId' in chosen.plan.source
    ? {
        saved_plan: {
          saved_plan_id: chosen.plan.source.savedPlanId,
          parameters: chosen.values,
          ...(session && { session_id: session }),
        },
      }
    : { start: { session_id: session! } };

/** Plans the runs of a document, or of a saved plan with the files of one; the times are those of the browser's time zone. */
export default function NewSchedule() {
  const { t } = useTranslation();
  const documents = useInfiniteQuery(worksOf({ kind: 'document' }));
  const titleOf = useWorkTitle();
  const close = useClose();
  const items = documents.data?.pages.flatMap((page) => page.items) ?? [];
  const [name, setName] = useState('');
  const [session, setSession] = useState<string | null>(null);
  const [plan, setPlan] = useState<ChosenPlan | null>(null);
  const picks = usePicks(session ?? undefined);
  const [timing, setTiming] = useState<TimingChoice>({ rhythm: 'daily', time: '06:00', own: '' });
  const cron = cronOf(timing);
  const planned = useQuery({
    queryKey: ['planned-times', cron],
    queryFn: () => call('POST /api/schedules/preview', { body: { cron, time_zone: TIME_ZONE } }),
    retry: false,
    enabled: cron.split(' ').length === 5,
  });
  return (
    <SendForm
      label={t('schedules.add')}
      isDisabled={name.trim() === '' || !(plan ? isFilled(plan) : session) || !planned.data}
      send={() =>
        change(
          'POST /api/schedules',
          { body: { name: name.trim(), ...started(session, plan), cron, time_zone: TIME_ZONE } },
          ['schedules'],
        ).then(close)
      }
    >
      <TextInput label={t('schedules.name')} maxLength={100} {...textProps(name, setName)} />
      <Select
        label={t('schedules.document')}
        data={items.map((work) => ({ value: work.id, label: titleOf(work) }))}
        value={session}
        onChange={setSession}
        searchable
      />
      <PlanForm isSaved chosen={plan} picks={picks} onChange={setPlan} />
      <Timing {...timing} onChange={setTiming} />
      {planned.error && <ProblemAlert error={planned.error} />}
      {planned.data && (
        <Text size="sm" component="div">
          {t('schedules.next')}{' '}
          {planned.data.times.slice(0, SHOWN_TIMES).map((at, index) => (
            <span key={at}>
              {index > 0 && ' · '}
              <Moment at={at} />
            </span>
          ))}
        </Text>
      )}
    </SendForm>
  );
}

/** Chooses how often and when, or an expression of cron. */
function Timing({
  onChange,
  ...timing
}: TimingChoice & {
  onChange: (timing: TimingChoice) => void;
}) {
  const { t } = useTranslation();
  return (
    <Group align="flex-end">
      <Select
        label={t('schedules.rhythm')}
        data={[...Object.keys(RHYTHMS), 'own'].map((value) => ({
          value,
          label: t(`schedules.rhythm.${value as Rhythm}`),
        }))}
        value={timing.rhythm}
        onChange={(value) => onChange({ ...timing, rhythm: value as Rhythm })}
      />
      {timing.rhythm === 'own' ? (
        <TextInput
          label={t('schedules.cron')}
          placeholder="0 9 * * MON-FRI"
          {...textProps(timing.own, (typed) => onChange({ ...timing, own: typed }))}
        />
      ) : (
        <TextInput
          type="time"
          label={t('schedules.time', { zone: TIME_ZONE })}
          required
          {...textProps(timing.time, (time) => onChange({ ...timing, time }))}
        />
      )}
    </Group>
  );
}
