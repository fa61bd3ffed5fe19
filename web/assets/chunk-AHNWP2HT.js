import{c as t}from"./chunk-YZI3DIVB.js";import{z as o}from"./chunk-ACV3IPUT.js";var n=o(null);async function a(){n.value=await t("GET","/api/account")}export{n as a,a as b};
