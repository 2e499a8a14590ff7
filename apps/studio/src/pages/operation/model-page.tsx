import { Bullets } from '../../ui/bullets';
import {
  Alert,
  Code,
  Group,
  Stack,
  Text,
  NumberInput,
  PasswordInput,
  TextInput,
  Badge,
  Table,
} from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { change } from '../../api/api-query';
import { modelQuery, type Model, type ModelSettings } from '../../api/model';
import { useMay } from '../../api/session';
import { EmptyState, PageHeader, Card, useReady } from '../../ui/frames';
import { useState } from 'react';
import { Moment } from '../../ui/format';
import { ActionButton, ConfirmedAction, textProps, SendForm } from '../../ui/actions';

/** Shows the models that runs use with what they can do, and sets the tenant's own endpoint. */
export default function ModelPage() {
  const { t } = useTranslation();
  const isAdmin = useMay('admin');
  const [data, instead] = useReady(modelQuery);
  const embedding = data?.embedding;
  return (
    <>
      <PageHeader title={t('model.title')}>
        {isAdmin && data && data.source !== 'none' && (
          <ActionButton
            variant="default"
            label={t('model.check')}
            act={() => change('POST /api/model/check', {}, ['model'])}
          />
        )}
      </PageHeader>
      <Stack>
        {instead}
        {data && <Source settings={data} isAdmin={isAdmin} />}
        {data?.models.map((model) => (
          <ModelCard key={model.name} model={model} />
        ))}
        {data && (
          <Text>{t(`model.embedding.${embedding?.source ?? 'none'}`, { name: embedding?.name })}</Text>
        )}
        {data && isAdmin && (
          // The form starts with the current settings.
          <EndpointForm key={JSON.stringify(data.endpoint)} settings={data} />
        )}
      </Stack>
    </>
  );
}

function Source({ settings: { source, endpoint }, isAdmin }: { settings: ModelSettings; isAdmin: boolean }) {
  const { t } = useTranslation();
  if (source === 'none') return <EmptyState title={t('model.none')} text={t('model.noneText')} />;
  if (!endpoint) return <Text>{t('model.ofInstallation')}</Text>;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text>
          {t('model.ofTenant')} <Code>{endpoint.base_url}</Code>
        </Text>
        {isAdmin && (
          <ConfirmedAction
            label={t('model.reset')}
            confirm={t('model.resetNow')}
            consequence={t('model.resetLoses')}
            act={() => change('DELETE /api/model/endpoint', {}, ['model'])}
          />
        )}
      </Group>
      {!endpoint.has_key && <Alert color="yellow">{t('model.noKey')}</Alert>}
    </Stack>
  );
}

const MIN_WINDOW = 1_024;
const MAX_WINDOW = 100_000_000;

/** Sets the tenant's own endpoint; the stored key is never shown. */
function EndpointForm({ settings: { endpoint, models } }: { settings: ModelSettings }) {
  const { t } = useTranslation();
  const named = (use: 'main' | 'fast') =>
    endpoint ? (models.find(({ uses }) => uses.includes(use))?.name ?? '') : '';
  const [fields, setFields] = useState({
    base_url: endpoint?.base_url ?? '',
    api_key: '',
    model: named('main'),
    fast_model: named('fast') === named('main') ? '' : named('fast'),
    embedding_model: endpoint?.embedding_model ?? '',
  });
  const [window, setWindow] = useState<number | string>(endpoint?.context_tokens ?? '');
  const typed = Object.entries(fields).map(([name, text]) => [name, text.trim()]);
  const body = {
    prices: endpoint?.prices ?? {},
    ...(Object.fromEntries(typed.filter(([, text]) => text !== '')) as typeof fields),
    ...(typeof window === 'number' && { context_tokens: window }),
  };
  const input = (name: keyof typeof fields, maxLength: number) => ({
    label: t(`model.form.${name}`),
    maxLength,
    ...textProps(fields[name], (text) => setFields((before) => ({ ...before, [name]: text }))),
  });
  return (
    <Card title={t('model.form.title')}>
      <SendForm
        label={t('model.form.set')}
        isDisabled={fields.base_url.trim() === '' || fields.model.trim() === ''}
        send={() => change('POST /api/model/endpoint', { body }, ['model'])}
      >
        <TextInput required placeholder="https://…" {...input('base_url', 2_048)} />
        <PasswordInput
          autoComplete="off"
          description={t(endpoint?.has_key ? 'model.form.keyKept' : 'model.form.keyHint')}
          visibilityToggleButtonProps={{ 'aria-label': t('model.form.showKey') }}
          {...input('api_key', 4_000)}
        />
        <TextInput required {...input('model', 200)} />
        <TextInput description={t('model.form.fastHint')} {...input('fast_model', 200)} />
        <TextInput description={t('model.form.embeddingHint')} {...input('embedding_model', 200)} />
        <NumberInput
          label={t('model.form.context_tokens')}
          description={t('model.form.contextHint')}
          min={MIN_WINDOW}
          max={MAX_WINDOW}
          allowDecimal={false}
          hideControls
          value={window}
          onChange={setWindow}
        />
      </SendForm>
    </Card>
  );
}

/** Shows what is known about a model, and what follows from it. */
function ModelCard({ model }: { model: Model }) {
  const { t, language } = useTranslation();
  const shown = (value: number | boolean | null) => {
    if (value === null) return t('model.unknown');
    if (typeof value === 'number') return value.toLocaleString(language);
    return t(value ? 'model.yes' : 'model.no');
  };
  return (
    <Card
      title={model.name}
      component="article"
      badges={model.uses.map((use) => (
        <Badge key={use} variant="default">
          {t(`model.use.${use}`)}
        </Badge>
      ))}
      actions={
        <Text size="sm">
          {model.checked_at === null ? t('model.notChecked') : t('model.checked')}{' '}
          {model.checked_at !== null && <Moment at={model.checked_at} />}
        </Text>
      }
    >
      {model.check_failed !== null && (
        <Alert color="yellow" title={t('model.checkFailed')}>
          {model.check_failed}
        </Alert>
      )}
      <Table withRowBorders={false} layout="fixed">
        <Table.Tbody>
          {Object.entries(model.facts).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{t(`model.fact.${name}`)}</Table.Th>
              <Table.Td>{shown(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {model.consequences.length > 0 && (
        <Bullets
          aria-label={t('model.consequences')}
          items={model.consequences.map(({ code, text }) =>
            t(`model.consequence.${code}`, { defaultValue: text }),
          )}
        />
      )}
    </Card>
  );
}
