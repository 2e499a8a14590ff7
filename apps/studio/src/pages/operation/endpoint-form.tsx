import { Button, Group, NumberInput, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { setEndpoint, type ModelSettings } from '../../api/model';
import { ProblemAlert } from '../../ui/problem-alert';

const MIN_WINDOW = 1_024;
const MAX_WINDOW = 100_000_000;

/** Sets the tenant's own endpoint; the stored key is never shown. */
export function EndpointForm({ settings: { endpoint, models } }: { settings: ModelSettings }) {
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
  const setting = useMutation({
    mutationFn: () =>
      setEndpoint({
        base_url: fields.base_url.trim(),
        model: fields.model.trim(),
        prices: endpoint?.prices ?? {},
        ...(fields.api_key !== '' && { api_key: fields.api_key.trim() }),
        ...(fields.fast_model.trim() !== '' && { fast_model: fields.fast_model.trim() }),
        ...(fields.embedding_model.trim() !== '' && { embedding_model: fields.embedding_model.trim() }),
        ...(typeof window === 'number' && { context_tokens: window }),
      }),
  });
  const input = (name: keyof typeof fields, maxLength: number) => ({
    label: t(`model.form.${name}`),
    value: fields[name],
    maxLength,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setting.mutate();
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="own-endpoint">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2} size="h4" id="own-endpoint">
            {t('model.form.title')}
          </Title>
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
          {setting.error && <ProblemAlert error={setting.error} />}
          <Group>
            <Button
              type="submit"
              loading={setting.isPending}
              disabled={fields.base_url.trim() === '' || fields.model.trim() === ''}
            >
              {t('model.form.set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
