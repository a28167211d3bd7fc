/** Generated from src/service/facts/marketplaces.yaml by scripts/generate.ts. Do not edit. */

import type { Marketplace } from '../marketplaces.ts';

export const marketplaceTable: readonly Marketplace[] = [
  {"country":"US","name":"United States","id":"ATVPDKIKX0DER","region":"na","timeZone":"America/Los_Angeles","currency":"USD","csv":"comma","also":["USA","United States of America","America"]},
  {"country":"CA","name":"Canada","id":"A2EUQ1WTGCTBG2","region":"na","timeZone":"America/Toronto","currency":"CAD","csv":"comma","also":["CAN"]},
  {"country":"MX","name":"Mexico","id":"A1AM78C64UM0Y8","region":"na","timeZone":"America/Mexico_City","currency":"MXN","csv":"comma","also":["MEX"]},
  {"country":"BR","name":"Brazil","id":"A2Q3Y263D00KWC","region":"na","timeZone":"America/Sao_Paulo","currency":"BRL","csv":"semicolon","also":["BRA"]},
  {"country":"GB","name":"United Kingdom","id":"A1F83G8C2ARO7P","region":"eu","timeZone":"Europe/London","currency":"GBP","csv":"comma","also":["UK","GBR","Great Britain","Britain","England"]},
  {"country":"DE","name":"Germany","id":"A1PA6795UKMFR9","region":"eu","timeZone":"Europe/Berlin","currency":"EUR","csv":"semicolon","also":["DEU"]},
  {"country":"FR","name":"France","id":"A13V1IB3VIYZZH","region":"eu","timeZone":"Europe/Paris","currency":"EUR","csv":"semicolon","also":["FRA"]},
  {"country":"IT","name":"Italy","id":"APJ6JRA9NG5V4","region":"eu","timeZone":"Europe/Rome","currency":"EUR","csv":"semicolon","also":["ITA"]},
  {"country":"ES","name":"Spain","id":"A1RKKUPIHCS9HS","region":"eu","timeZone":"Europe/Madrid","currency":"EUR","csv":"semicolon","also":["ESP"]},
  {"country":"NL","name":"Netherlands","id":"A1805IZSGTT6HS","region":"eu","timeZone":"Europe/Amsterdam","currency":"EUR","csv":"semicolon","also":["NLD","Holland"]},
  {"country":"BE","name":"Belgium","id":"AMEN7PMS3EDWL","region":"eu","timeZone":"Europe/Brussels","currency":"EUR","csv":"semicolon","also":["BEL"]},
  {"country":"IE","name":"Ireland","id":"A28R8C7NBKEWEA","region":"eu","timeZone":"Europe/Dublin","currency":"EUR","csv":"comma","also":["IRL","Republic of Ireland"]},
  {"country":"SE","name":"Sweden","id":"A2NODRKZP88ZB9","region":"eu","timeZone":"Europe/Stockholm","currency":"SEK","csv":"semicolon","also":["SWE"]},
  {"country":"PL","name":"Poland","id":"A1C3SOZRARQ6R3","region":"eu","timeZone":"Europe/Warsaw","currency":"PLN","csv":"semicolon","also":["POL"]},
  {"country":"TR","name":"Türkiye","id":"A33AVAJ2PDY3EV","region":"eu","timeZone":"Europe/Istanbul","currency":"TRY","csv":"semicolon","also":["TUR","Turkey"]},
  {"country":"AE","name":"United Arab Emirates","id":"A2VIGQ35RCS4UG","region":"eu","timeZone":"Asia/Dubai","currency":"AED","csv":"comma","also":["UAE","ARE","Emirates"]},
  {"country":"SA","name":"Saudi Arabia","id":"A17E79C6D8DWNP","region":"eu","timeZone":"Asia/Riyadh","currency":"SAR","csv":"comma","also":["KSA","SAU","Kingdom of Saudi Arabia"]},
  {"country":"EG","name":"Egypt","id":"ARBP9OOSHTCHU","region":"eu","timeZone":"Africa/Cairo","currency":"EGP","csv":"comma","also":["EGY"]},
  {"country":"ZA","name":"South Africa","id":"AE08WJ6YKNBMC","region":"eu","timeZone":"Africa/Johannesburg","currency":"ZAR","csv":"semicolon","also":["ZAF","RSA","Republic of South Africa"]},
  {"country":"IN","name":"India","id":"A21TJRUUN4KGV","region":"eu","timeZone":"Asia/Kolkata","currency":"INR","csv":"comma","also":["IND"]},
  {"country":"JP","name":"Japan","id":"A1VC38T7YXB528","region":"fe","timeZone":"Asia/Tokyo","currency":"JPY","csv":"comma","also":["JPN"]},
  {"country":"AU","name":"Australia","id":"A39IBJ37TRP1C6","region":"fe","timeZone":"Australia/Sydney","currency":"AUD","csv":"comma","also":["AUS"]},
  {"country":"SG","name":"Singapore","id":"A19VAU5U5O7RUS","region":"fe","timeZone":"Asia/Singapore","currency":"SGD","csv":"comma","also":["SGP"]},
];
