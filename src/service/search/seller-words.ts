/** What each operation is for in the words of sellers: found by search, shown nowhere, reviewed one by one. */

/** Group -> name -> words. One row serves all versions of a name, unless a row names the version. */
export const sellerWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'warehousing-and-distribution': {
    getInboundShipment: 'AWD bulk storage inbound shipment: status, received quantities, tracking',
    listInboundShipments: 'AWD bulk storage inbound shipments on their way to the distribution center',
    listInventory: 'AWD stock levels in bulk storage, long-term storage, onhand quantity',
    createInbound: 'AWD inbound order: send pallets or cartons to bulk storage',
    getInbound: 'AWD inbound order details',
    updateInbound: 'AWD inbound order change before it is confirmed',
    cancelInbound: 'AWD inbound order cancel',
    confirmInbound: 'AWD inbound order confirm',
    getInboundShipmentLabels: 'AWD box labels, carton labels to print',
    getLabelPageTypes: 'AWD label paper sizes and page formats',
    updateInboundShipmentTransportDetails: 'AWD inbound tracking number, carrier, transport',
    checkInboundEligibility: 'AWD check whether products are eligible for bulk storage',
    listOutbounds: 'AWD outbound orders out of bulk storage, multi-channel distribution',
    createOutbound: 'AWD outbound order: ship stock out of bulk storage, multi-channel distribution',
    getOutbound: 'AWD outbound order details',
    updateOutbound: 'AWD outbound order change',
    confirmOutbound: 'AWD outbound order confirm',
    listReplenishmentOrders: 'AWD replenishment orders: stock moved from bulk storage to FBA',
    createReplenishmentOrder: 'AWD replenish, restock FBA from bulk storage, move stock to FBA',
    getReplenishmentOrder: 'AWD replenishment order details, restock of FBA',
    confirmReplenishmentOrder: 'AWD replenishment order confirm',
  },
  authorization: { Authorization: 'authorize an application' },
  'catalog-items': {
    searchCatalogItems:
      'find products in the catalog by keyword, brand, barcode, EAN, UPC, GTIN, ISBN, ASIN or SKU; match a product to an existing ASIN, look up a code',
    getCatalogItem:
      'product details of one ASIN: title, brand, images, photos, pictures, dimensions, weight, sales rank, best seller rank, variations, parent and child, category',
  },
  'catalog-v0': {
    listCatalogCategories: 'categories, browse nodes of a product',
    listCatalogItems: 'find products in the catalog',
    getCatalogItem: 'product details of one ASIN',
  },
  definitions: {
    searchDefinitionsProductTypes:
      'find the product type or category for a product; which product types exist',
    getDefinitionsProductType:
      'required attributes, mandatory fields and allowed values of a product type; schema, template of a listing',
  },
  'scheduled-package-delivery': {
    listHandoverSlots: 'Easy Ship pickup slots, time slots for collection of packages',
    getScheduledPackage: 'Easy Ship scheduled package, pickup details',
    createScheduledPackage: 'Easy Ship schedule a pickup of a package',
    updateScheduledPackages: 'Easy Ship change the pickup time, reschedule',
    createScheduledPackageBulk: 'Easy Ship schedule many pickups and labels at once, in bulk',
  },
  'inbound-fulfilment': {
    listInboundPlans: 'plans for shipments to FBA, inbound workflows, shipments to Amazon',
    createInboundPlan:
      'send to Amazon, send goods or stock to the FBA warehouse, new FBA shipment, replenish, restock',
    getInboundPlan: 'one plan for shipments to FBA',
    listInboundPlanBoxes: 'boxes, cartons of an inbound plan',
    cancelInboundPlan: 'cancel a shipment plan to FBA',
    listInboundPlanItems: 'items, SKUs, quantities of an inbound plan',
    updateInboundPlanName: 'rename an inbound plan',
    listPackingGroupBoxes: 'boxes, cartons of a packing group',
    listPackingGroupItems: 'items of a packing group',
    setPackingInformation: 'box contents: dimensions, weight and what is in each box or carton',
    listPackingOptions: 'packing options, which items may go in one box together',
    generatePackingOptions: 'start working out packing options',
    confirmPackingOption: 'choose, accept a packing option',
    listInboundPlanPallets: 'pallets of an inbound plan',
    listPlacementOptions:
      'placement options, placement fees, split of shipments over warehouses, destination fulfilment centers',
    generatePlacementOptions: 'start working out placement options and their fees',
    confirmPlacementOption: 'choose, accept a placement option',
    getShipment: 'one inbound FBA shipment: destination warehouse, status, tracking',
    listShipmentBoxes: 'boxes, cartons of an FBA shipment',
    listShipmentContentUpdatePreviews: 'previews of changed shipment contents',
    generateShipmentContentUpdatePreviews:
      'preview a change of quantities in an FBA shipment, edit its contents',
    getShipmentContentUpdatePreview: 'one preview of changed shipment contents',
    confirmShipmentContentUpdatePreview: 'change the contents or quantities of an FBA shipment',
    getDeliveryChallanDocument: 'delivery challan document, India, for an FBA transfer',
    listDeliveryWindowOptions: 'delivery windows, dates when a shipment may arrive at the warehouse',
    generateDeliveryWindowOptions: 'start working out delivery windows',
    confirmDeliveryWindowOptions: 'choose a delivery window, arrival date',
    listShipmentItems: 'items, SKUs, quantities in an FBA shipment',
    updateShipmentName: 'rename an FBA shipment',
    listShipmentPallets: 'pallets of an FBA shipment',
    cancelSelfShipAppointment: 'cancel the dock appointment at the warehouse',
    getSelfShipAppointmentSlots: 'free appointments to deliver at the warehouse dock yourself',
    generateSelfShipAppointmentSlots: 'start working out dock appointments',
    scheduleSelfShipAppointment: 'book a dock appointment to deliver at the warehouse, reschedule',
    updateShipmentSourceAddress: 'change the ship-from address, origin of an FBA shipment',
    updateShipmentTrackingDetails: 'tracking numbers, PRO number of an inbound FBA shipment',
    listTransportationOptions:
      'choose a carrier: partnered carrier, quotes, cost of transport to FBA, LTL, small parcel',
    generateTransportationOptions: 'start getting transport quotes of carriers',
    confirmTransportationOptions: 'accept a transport quote, book the carrier',
    listItemComplianceDetails: 'tax code, HSN code, compliance of inbound items, India',
    updateItemComplianceDetails: 'set tax code, HSN code, declared value of inbound items',
    createMarketplaceItemLabels: 'print FNSKU labels, item labels, product barcode stickers',
    listPrepDetails:
      'prep requirements of items: bubble wrap, polybagging, taping, labeling, who does the prep',
    setPrepDetails: 'set prep category, prep owner of items',
    getInboundOperationStatus: 'is an inbound operation finished, progress, errors of an asynchronous job',
    getItemEligibilityPreview:
      'is a product eligible for FBA inbound, why it cannot be sent to the warehouse',
    getPrepInstructions: 'prep requirements: bubble wrap, polybagging, barcode labeling of a SKU or ASIN',
    getLabels: 'print box labels, carton labels, pallet labels of an inbound FBA shipment',
    getBillOfLading: 'bill of lading, BOL, freight document of an inbound FBA shipment',
    getShipments: 'shipments to Amazon FBA by status or date: working, shipped, receiving, closed',
    getShipmentItemsByShipmentId: 'items in an FBA shipment, quantity shipped and received, missing units',
    getShipmentItems: 'items received at FBA between dates, received units, quantity shipped and received',
  },
  'fulfilment-inventory': {
    getInventorySummaries:
      'FBA stock levels: fulfillable, available, reserved, inbound, unfulfillable, damaged units and quantities at the warehouse; out of stock; FNSKU',
    createInventoryItem: 'sandbox only: make a test inventory item',
    deleteInventoryItem: 'sandbox only: delete a test inventory item',
    addInventory: 'sandbox only: add test inventory',
  },
  'outbound-fulfilment': {
    getFulfillmentPreview:
      'MCF multi-channel fulfillment preview: estimated cost, fees and delivery date, shipping speed',
    deliveryOffers: 'MCF delivery dates and promises for a product page of your own shop',
    listAllFulfillmentOrders: 'MCF multi-channel fulfillment orders of other channels',
    createFulfillmentOrder:
      'MCF multi-channel fulfillment: ship an order of your own shop, website, Shopify or eBay from FBA stock',
    getPackageTrackingDetails: 'MCF multi-channel fulfillment: where is the package, parcel, tracking',
    listReturnReasonCodes: 'MCF return reasons, why a customer returns',
    createFulfillmentReturn: 'MCF return of an order by a customer, return label, RMA',
    getFulfillmentOrder: 'MCF multi-channel fulfillment order: status, shipments, packages',
    updateFulfillmentOrder: 'MCF order change, hold or release, address, speed',
    cancelFulfillmentOrder: 'MCF order cancel',
    submitFulfillmentOrderStatusUpdate: 'sandbox only: set the status of a test MCF order',
    getFeatures: 'MCF features: unbranded packaging, blank box, block carriers',
    getFeatureInventory: 'MCF inventory eligible for a feature, blank box',
    getFeatureSKU: 'MCF is a SKU eligible for a feature, blank box',
    getOrderPreview: 'MCF multi-channel fulfillment preview of cost and delivery date',
    getOffers: 'MCF delivery offers',
    cancelOrder: 'MCF order cancel',
    updateOrderStatus: 'MCF order change its status',
    updatePackage: 'MCF package of an order change: tracking, status',
    getOrder: 'MCF multi-channel fulfillment order',
    updateOrder: 'MCF order change',
    listOrders: 'MCF multi-channel fulfillment orders',
    createOrder: 'MCF multi-channel fulfillment: ship an order of your own shop, website from FBA stock',
  },
  feeds: {
    getFeeds: 'feeds that were sent, recent bulk uploads, their status',
    createFeed:
      'bulk update, bulk upload, mass edit of many products, prices, quantities or orders at once; flat file, JSON listings feed, spreadsheet',
    cancelFeed: 'stop a feed that waits',
    getFeed: 'is a feed finished, processing status of a bulk upload',
    createFeedDocument: 'upload a feed document or file, address to upload to',
    getFeedDocument: 'download the result of a feed: processing report, errors of a bulk upload',
  },
  fees: {
    getMyFeesEstimateForSKU:
      'estimate fees of your own SKU at a price: referral fee, commission, FBA fulfillment fee, margin, profit, cost of selling',
    getMyFeesEstimateForASIN:
      'estimate fees of an ASIN at a price: referral fee, commission, FBA fulfillment fee, margin, profit, cost of selling',
    getMyFeesEstimates:
      'estimate fees of many products at once: referral fee, commission, FBA fulfillment fee, margin',
  },
  finance: {
    listTransactions:
      'transactions of the account: sales proceeds, refunds, fees charged, commission, adjustments, reimbursements, chargebacks, deferred or released money, settlement',
    listFinancialEventGroups:
      'settlements, settlement periods, statements, payouts, disbursements, when money was transferred',
    listFinancialEventsByGroupId: 'details of one settlement or payout: sales, refunds, fees, reimbursements',
    listFinancialEventsByOrderId:
      'money of one order: refund, fees charged, commission, proceeds, profit of an order',
    listFinancialEvents:
      'refunds, fees charged, commission, reimbursements of lost or damaged inventory, chargebacks, guarantee claims, coupon and deal fees, ads payments, storage fees, adjustments between dates',
    listBalances: 'account balance, available and deferred balance, reserve, how much money is held',
    listSummary: 'settlement summary, totals of payments and fees of a period',
    getInvoiceHeaders: 'invoices to the seller, tax invoices, by issue date',
    getInvoice: 'one invoice to the seller with its lines',
  },
  invoices: {
    getInvoicesAttributes: 'Brazil: allowed values of invoice searches',
    getInvoicesDocument: 'Brazil: download exported invoices, nota fiscal',
    createInvoicesExport: 'Brazil: export invoices, nota fiscal XML or PDF',
    getInvoicesExports: 'Brazil: exports of invoices',
    getInvoicesExport: 'Brazil: is an export of invoices finished',
    getInvoices: 'Brazil: tax invoices, nota fiscal, NF-e',
    getInvoice: 'Brazil: one tax invoice, nota fiscal, NF-e',
    getGovernmentInvoiceStatus: 'Brazil: status of a government tax invoice of a shipment',
    createGovernmentInvoice: 'Brazil: issue a government tax invoice for a shipment',
    getGovernmentInvoiceDocument: 'Brazil: download a government tax invoice',
  },
  'listings-items': {
    getListingsRestrictions:
      'am I allowed to sell an ASIN or brand: restrictions, gated categories, approval required, ungating, condition',
    deleteListingsItem:
      'delete a listing, remove a SKU, product or offer from sale, take it off, close a listing',
    getListingsItem:
      'one listing, offer of yours by SKU, its details: problems, issues, errors, warnings, why it is suppressed, inactive, blocked or not buyable; its price, quantity, stock, status, images',
    patchListingsItem:
      'change, edit one listing of yours: price, sale price, discount, business price, quantity, stock, title, description, bullet points, keywords, images, photos, handling time, shipping template, attributes',
    putListingsItem:
      'add, create a new listing, product or offer; list a product for sale; sell on an existing ASIN; replace the whole listing',
    searchListingsItems:
      'all listings, products, offers, SKUs of yours with status and problems: active, inactive, suppressed, with issues or errors, by brand or barcode, variations, parent SKU, catalogue of yours',
  },
  'merchant-fulfillment': {
    getEligibleShipmentServices:
      'Buy Shipping: compare carriers, rates and shipping services for an order shipped by the seller',
    getShipment: 'Buy Shipping: label, tracking of a shipment bought',
    cancelShipment: 'Buy Shipping: cancel a label, refund of postage',
    createShipment:
      'Buy Shipping: buy a shipping label, postage for an order shipped by the seller, print the label',
    getAdditionalSellerInputs: 'Buy Shipping: what a carrier still needs to know',
  },
  orders: {
    'getOrder@2026-01-01':
      'one order, its details: status, items, buyer name, customer, shipping address, recipient, amounts, gift message, promised delivery date, ship-by date, packages, tracking',
    updateShipmentStatus: 'in-store pickup order: ready for pickup, picked up, refused pickup',
    getOrderRegulatedInfo:
      'order with regulated products: prescription, pet medication, verification of the buyer',
    updateVerificationStatus: 'approve or reject a regulated order, prescription',
    confirmShipment:
      'mark an order as shipped, confirm shipping with tracking number and carrier, dispatch, fulfil an order shipped by the seller',
    searchOrders:
      'orders between dates by status: new, pending, open, unshipped, shipped, cancelled, late, overdue, to ship today; Prime, business (B2B), FBA or shipped by the seller (FBM, MFN); sales; customers who bought',
    getOrders: 'orders between dates by status: new, pending, unshipped, late, cancelled',
    getOrder: 'one order: status, amounts',
    getOrderBuyerInfo: 'buyer name, customer, email of an order',
    getOrderAddress: 'shipping address, recipient of an order',
    getOrderItems: 'items, products, SKUs in an order',
    getOrderItemsBuyerInfo: 'gift message, customization of order items, personalization',
  },
  'product-pricing': {
    getFeaturedOfferExpectedPriceBatch:
      'what price wins the buy box, featured offer; price to beat competitors, repricing target',
    getCompetitiveSummary:
      'who has the buy box, featured offer; lowest price, competitor prices, other sellers of an ASIN, reference price, list price; buy box owner, repricing',
    getPricing: 'own prices of listings by SKU or ASIN',
    getCompetitivePricing: 'competitor prices of an ASIN, buy box price, sales rank',
    getListingOffers: 'offers of other sellers for a SKU, lowest prices, buy box',
    getItemOffers: 'offers of other sellers for an ASIN, lowest prices, buy box',
    getItemOffersBatch: 'offers of other sellers for many ASINs, lowest prices, buy box',
    getListingOffersBatch: 'offers of other sellers for many SKUs, lowest prices, buy box',
  },
  reports: {
    getReports:
      'reports that exist, ready reports, reports the service made by itself as settlement reports; their status',
    createReport:
      'request, generate a report: sales, traffic, inventory, stock, orders, returns, tax, VAT, stranded, aged inventory, storage fees, search terms, export data to CSV, spreadsheet',
    cancelReport: 'stop a report that waits',
    getReport: 'is a report finished, ready, done; status of a report',
    getReportSchedules: 'schedules of reports that come regularly',
    createReportSchedule: 'get a report every day, weekly, regularly, automatically; schedule a report',
    cancelReportSchedule: 'stop a report schedule, no more daily reports',
    getReportSchedule: 'one report schedule',
    getReportDocument: 'download a report, get the report file, its contents, data',
  },
  sales: {
    getOrderMetrics:
      'sales totals, revenue, turnover, units sold, number of orders, average selling price by day, week, month or hour; sales statistics',
  },
  sellers: {
    getMarketplaceParticipations:
      'marketplaces, countries where I sell, store name, is the account active or suspended there',
    getAccount:
      'seller account information: business name, address, business type, primary contact, selling plan',
  },
  service: {
    getServiceJobByServiceJobId: 'one service job: installation, assembly at home',
    cancelServiceJobByServiceJobId: 'cancel a service job',
    completeServiceJobByServiceJobId: 'mark a service job as done, completed',
    getServiceJobs: 'service jobs: installations, assembly, home services, by status',
    addAppointmentForServiceJobByServiceJobId: 'make an appointment with a customer for a service job',
    rescheduleAppointmentForServiceJobByServiceJobId: 'move an appointment of a service job to another time',
    assignAppointmentResources: 'assign a technician to an appointment',
    setAppointmentFulfillmentData: 'arrival and departure time of a technician, proof of service',
    getRangeSlotCapacity: 'capacity of technicians in time ranges',
    getFixedSlotCapacity: 'capacity of technicians in fixed time slots',
    updateSchedule: 'work schedule, availability of a technician',
    createReservation: 'block the time of a technician',
    updateReservation: 'change blocked time of a technician',
    cancelReservation: 'free blocked time of a technician',
    getAppointmmentSlotsByJobId: 'free appointments for a service job',
    getAppointmentSlots: 'free appointments for a service by ASIN',
    createServiceDocumentUploadDestination: 'upload proof or photos of a service job',
  },
  'shipment-invoice': {
    getShipmentDetails: 'Brazil: data of an FBA shipment for the tax invoice',
    submitInvoice: 'Brazil: upload a tax invoice, nota fiscal of an FBA order',
    getInvoiceStatus: 'Brazil: was the uploaded tax invoice accepted',
  },
  shipping: {
    getRates: 'compare shipping rates, quotes, postage, prices of carriers',
    createShipment: 'older way to make a shipment with Amazon Shipping',
    directPurchaseShipment: 'buy a shipping label in one step, without comparing rates',
    getShipment: 'one shipment with Amazon Shipping',
    purchaseShipment: 'buy a shipping label, postage with Amazon Shipping',
    cancelShipment: 'cancel a shipment, void a shipping label',
    oneClickShipment: 'buy a shipping label in one step, postage, cheapest rate',
    purchaseLabels: 'older way to buy a shipping label',
    getTracking: 'where is the parcel, package: tracking, delivery status, events',
    retrieveShippingLabel: 'print a shipping label again, older',
    getShipmentDocuments:
      'print a shipping label again, reprint, packing slip, customs documents, PDF or ZPL',
    getAdditionalInputs: 'what a carrier still needs to know, customs',
    getAccount: 'account with Amazon Shipping',
    getCarrierAccountFormInputs: 'what is needed to link an account with a carrier',
    getTrackingInformation: 'where is the parcel, package: tracking, older',
    getCarrierAccounts: 'own accounts with carriers: UPS, DHL, FedEx',
    'linkCarrierAccount@v2-POST': 'connect own account with a carrier: UPS, DHL, FedEx',
    'linkCarrierAccount@v2-PUT': 'connect own account with a carrier: UPS, DHL, FedEx',
    unlinkCarrierAccount: 'disconnect own account with a carrier',
    generateCollectionForm: 'manifest for the carrier, end of day form, pickup, collection',
    getCollectionFormHistory: 'past manifests, collection forms',
    getUnmanifestedShipments: 'shipments not on a manifest yet',
    getCollectionForm: 'one manifest, collection form',
    getAccessPoints: 'pickup points, parcel shops, lockers, drop-off locations near an address',
    submitNdrFeedback: 'failed delivery: what to do, try again or return to sender, non-delivery',
    createClaim: 'claim for a lost or damaged parcel, compensation, insurance of a shipment',
  },
  'supply-sources': {
    getSupplySources: 'own stores, shops, warehouses, locations, branches',
    createSupplySource: 'add a store, warehouse, location',
    getSupplySource:
      'one store, warehouse: address, opening hours, operating hours, closing times, holidays, capabilities, throughput',
    updateSupplySource:
      'change opening hours, operating hours, holidays, closing times, address, capacity, handling time, pickup of a store or warehouse',
    archiveSupplySource: 'close a store for good, delete a location, warehouse',
    updateSupplySourceStatus:
      'switch a store, warehouse on or off, activate or deactivate it, close for a time',
  },
  tokens: { createRestrictedDataToken: 'token for personal data, PII of buyers, RDT' },
  uploads: {
    createUploadDestinationForResource:
      'upload an image, picture, attachment or file for a message or A+ content',
  },
  notifications: {
    getSubscription: 'subscription to a notification type, is it on',
    createSubscription:
      'tell me, alert, webhook, event when an order comes in, a price, offer or listing changes, a report or feed is ready; turn on notifications',
    getSubscriptionById: 'one subscription to notifications',
    deleteSubscriptionById: 'turn off, stop notifications, unsubscribe',
    getDestinations: 'where notifications go: SQS queues, EventBridge',
    createDestination: 'add an SQS queue, EventBridge for notifications, webhook target',
    getDestination: 'one destination of notifications, SQS queue',
    deleteDestination: 'remove an SQS queue, destination of notifications',
    getSubscriptions: 'all subscriptions to notifications, alerts that are on',
    sendTestNotification: 'try out notifications, test event',
  },
  messaging: {
    getMessagingActionsForOrder:
      'which messages may be sent to the buyer of an order, contact, write to a customer',
    confirmCustomizationDetails: 'message to a buyer: ask about customization, personalization, engraving',
    createConfirmDeliveryDetails: 'message to a buyer: arrange or confirm delivery, date, address',
    createLegalDisclosure: 'message to a buyer: legal document, disclosure',
    createConfirmOrderDetails:
      'message to a buyer: ask a question about the order before shipping, contact, write to a customer',
    createConfirmServiceDetails: 'message to a buyer: arrange a home service',
    CreateWarranty: 'message to a buyer: warranty, guarantee document',
    GetAttributes: 'language, locale of the buyer of an order for messages',
    createDigitalAccessKey: 'message to a buyer: digital key, license code, download code',
    createUnexpectedProblem:
      'message to a buyer: problem, delay with the order, out of stock, apologize, contact, write to a customer',
    sendInvoice: 'message to a buyer: send the invoice, VAT invoice, receipt to the customer',
  },
  solicitations: {
    getSolicitationActionsForOrder: 'may I ask for a review or feedback of an order',
    createProductReviewAndSellerFeedbackSolicitation:
      'ask, request a buyer for a review, rating, stars or seller feedback',
  },
  'a-plus-content': {
    searchContentDocuments: 'A+ content, enhanced brand content (EBC), premium content, brand story of yours',
    createContentDocument:
      'new A+ content, enhanced brand content (EBC), rich product description with images, brand story',
    getContentDocument:
      'one A+ content document, enhanced brand content (EBC): modules, text, status, reasons of rejection',
    updateContentDocument: 'change A+ content, enhanced brand content (EBC)',
    listContentDocumentAsinRelations: 'which ASINs an A+ content is on',
    postContentDocumentAsinRelations: 'put A+ content on ASINs, apply, add or remove products',
    validateContentDocumentAsinRelations: 'check A+ content before it is submitted, errors',
    searchContentPublishRecords: 'which A+ content is published, live on an ASIN',
    postContentDocumentApprovalSubmission: 'publish A+ content, submit for approval',
    postContentDocumentSuspendSubmission: 'take A+ content down, suspend, unpublish',
  },
  'data-kiosk': {
    getQueries: 'Data Kiosk queries that were made, status',
    createQuery:
      'analytics with GraphQL: sales and traffic, page views, sessions, conversion rate, economics, profit by ASIN, vendor analytics',
    getQuery: 'is a Data Kiosk query finished, status',
    cancelQuery: 'stop a Data Kiosk query',
    getDocument: 'download the result, data of a Data Kiosk query, analytics',
  },
  'customer-feedback': {
    getItemReviewTopics:
      'what customers say in reviews of an ASIN: complaints, praise, positive and negative topics, star rating',
    getItemBrowseNode: 'browse node, category of an ASIN for customer feedback',
    getBrowseNodeReviewTopics:
      'what customers say in reviews of a category: complaints, praise, topics, competitors',
    getItemReviewTrends: 'how reviews of an ASIN change over months, trends of complaints and star rating',
    getBrowseNodeReviewTrends: 'how reviews of a category change over months, trends',
    getBrowseNodeReturnTopics: 'why customers return, send back products of a category: return reasons',
    getBrowseNodeReturnTrends: 'how returns of a category change over months, return rate, trends',
  },
  replenishment: {
    getSellingPartnerMetrics:
      'Subscribe & Save (SnS): subscriptions of customers, revenue, performance, lost sales, retention, forecast',
    listOfferMetrics:
      'Subscribe & Save (SnS) performance by product: subscribers, revenue, forecast of demand',
    listOffers: 'Subscribe & Save (SnS) products, which offers are enrolled, discounts',
  },
  'seller-wallet': {
    listAccounts: 'bank accounts of the seller wallet',
    getAccount: 'one bank account of the seller wallet',
    listAccountBalances: 'balance of the seller wallet by currency, money in it',
    getTransferPreview: 'exchange rate, currency conversion, fees of a transfer before it is made',
    listAccountTransactions: 'transactions of the seller wallet, transfers in and out',
    createTransaction: 'send, transfer money out of the seller wallet, pay, withdraw to a bank account',
    getTransaction: 'one transaction of the seller wallet, status',
    listTransferSchedules: 'scheduled, recurring, automatic transfers of the seller wallet',
    createTransferSchedule: 'set up an automatic, recurring transfer of money',
    updateTransferSchedule: 'change an automatic transfer of money',
    getTransferSchedule: 'one automatic transfer of money',
    deleteScheduleTransaction: 'stop an automatic transfer of money',
  },
  transfers: {
    listPayouts: 'payouts, disbursements, when money was paid to the bank account, deposits',
    initiatePayout: 'pay out, withdraw money now, disburse to the bank account on demand',
    getPaymentMethods: 'bank accounts, cards, payment methods, where payouts go',
    listExpectedPayouts: 'when do I get money: expected, next, coming payouts and their amount',
  },
  tracking: {
    getShipmentTracking: 'where is a shipment: freight, container, house bill of lading, tracking number',
  },
  vehicles: { getVehicles: 'cars, motorcycles: make, model, year; fitment, compatibility of auto parts' },
  'app-integrations': {
    createNotification: 'app shows a notification to sellers in Seller Central',
    deleteNotifications: 'app removes its notifications in Seller Central',
    recordActionFeedback: 'app says what became of its notification in Seller Central',
  },
  'application-management': {
    rotateApplicationClientSecret: 'new client secret of the application, rotate, expiring',
  },
  'external-fulfilment': {
    batchInventory: 'stock of an external warehouse: read and update quantities',
    getShipments: 'orders, shipments that an external warehouse has to ship',
    getShipment: 'one shipment that an external warehouse has to ship',
    processShipment: 'accept or reject a shipment in an external warehouse',
    createPackages: 'packages, boxes of a shipment in an external warehouse',
    updatePackage: 'dimensions, weight of a package in an external warehouse',
    updatePackageStatus: 'package of an external warehouse: shipped, delivered',
    retrieveShippingOptions: 'carriers, shipping options of a package in an external warehouse',
    retrieveInvoice: 'invoice document of a shipment in an external warehouse',
    generateInvoice: 'make the invoice of a shipment in an external warehouse',
    generateShipLabels: 'print shipping labels in an external warehouse',
    listReturns: 'returns by customers to an external warehouse, sent back',
    getReturn: 'one return by a customer to an external warehouse',
  },
  'vendor-orders': {
    getPurchaseOrders: 'vendor: purchase orders (PO) from Amazon',
    getPurchaseOrder: 'vendor: one purchase order (PO)',
    submitAcknowledgement: 'vendor: accept, reject, confirm, acknowledge a purchase order (PO)',
    getPurchaseOrdersStatus: 'vendor: status of purchase orders (PO), what was received',
  },
  'vendor-shipments': {
    SubmitShipmentConfirmations: 'vendor: advance shipment notice (ASN), confirm what was shipped',
    GetShipmentDetails: 'vendor: shipments for purchase orders, routing',
    SubmitShipments: 'vendor: request pickup, transport, routing of a shipment',
    GetShipmentLabels: 'vendor: carton labels, pallet labels, SSCC',
  },
  'vendor-invoices': { submitInvoices: 'vendor: send invoices, bill Amazon, credit note' },
  'vendor-transactions': { getTransaction: 'vendor: was a submission accepted, status of a transaction' },
  'vendor-direct-fulfilment': {
    getOrders: 'vendor: dropship orders of customers',
    getOrder: 'vendor: one dropship order',
    submitAcknowledgement: 'vendor: accept, acknowledge a dropship order',
    getShippingLabels: 'vendor: dropship shipping labels',
    submitShippingLabelRequest: 'vendor: request a dropship shipping label',
    getShippingLabel: 'vendor: one dropship shipping label, print',
    createShippingLabels: 'vendor: make dropship shipping labels',
    submitShipmentConfirmations: 'vendor: confirm a dropship order as shipped, tracking',
    submitShipmentStatusUpdates: 'vendor: status of dropship shipments',
    getCustomerInvoices: 'vendor: invoices for dropship customers',
    getCustomerInvoice: 'vendor: one invoice for a dropship customer',
    getPackingSlips: 'vendor: packing slips of dropship orders',
    getPackingSlip: 'vendor: one packing slip of a dropship order',
    createContainerLabel: 'vendor: label of a dropship container, pallet',
    submitInventoryUpdate: 'vendor: stock, quantities of dropship products',
    submitInvoice: 'vendor: bill Amazon for a dropship order',
    getTransactionStatus: 'vendor: was a dropship submission accepted',
    generateOrderScenarios: 'vendor: sandbox only: make test dropship orders',
    getOrderScenarios: 'vendor: sandbox only: test dropship orders',
  },
};
