/** Generated from src/service/facts/provenance.yaml by scripts/generate.ts. Do not edit. */

import type { Provenance } from '../provenance.ts';

export const provenance: Provenance = {"repository":"https://github.com/amzn/selling-partner-api-models","licence":"Apache-2.0, Copyright Amazon.com, Inc. or its affiliates","asOf":"2026-11-28","commits":[{"commit":"34dc93fe45f37c9a0b2e56823c808f68b4f81754","day":"2026-08-05","files":"rest"},{"commit":"3659f96","day":"2026-08-26","files":["promotions_2025-12-01"]},{"commit":"713565ff394d136629a342120872e65cb073d162","day":"2026-09-22","files":["externalFulfillmentLocation_2026-07-30","externalFulfillmentShipments_2024-09-11"]},{"commit":"3677bb9","day":"2026-09-30","files":["orders_2026-01-01","support_2025-02-01","financeRemittance-2026-03-17","aplusContent_2020-11-01"]},{"commit":"ca5ab67","day":"2026-09-30","files":["analytics_sellerAnalytics_2025_03_31"]}]};
