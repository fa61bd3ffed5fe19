import{c as t}from"./chunk-IQSUZLSE.js";import{b as o}from"./chunk-6XLC4D3J.js";var n=o(null);async function a(){n.value=await t("GET","/api/account")}export{n as a,a as b};
