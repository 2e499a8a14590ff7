import { TriggerBuckets } from './trigger-buckets.js';

describe('buckets of triggers', () => {
  const s3_prefix = {
    endpoint: 'http://127.0.0.1:9000',
    region: 'r',
    bucket: 'b',
    prefix: '',
    access_key_id: 'k',
  };
  const trigger = { id: 'sch_1', source: { s3_prefix }, secret: 'plain:secret' };
  const buckets = (FETCH_URL: boolean) =>
    new TriggerBuckets({
      FETCH_URL,
      EGRESS_ALLOW_PRIVATE: false,
      EGRESS_PORTS: [443],
      TOKEN_SECRET: undefined,
    });

  it('are not read on the network of the service, and not at all unless the operator allows it', async () => {
    await expect(buckets(true).list(trigger)).rejects.toMatchObject({ code: 'bucket_refused' });
    const named = { ...trigger, source: { s3_prefix: { ...s3_prefix, endpoint: 'https://localhost' } } };
    await expect(buckets(true).list(named)).rejects.toMatchObject({ code: 'bucket_refused' });
    await expect(buckets(false).list(trigger)).rejects.toMatchObject({ code: 'fetching_off' });
  });
});
